import GRDB
import StoreModel

extension LibraryDatabase {
    /// Reserves `count` event numbers, greater than all that were reserved before, even by a process that was killed.
    ///
    /// Numbers that are reserved but not used are skipped.
    ///
    /// The first number after each opening is at least the number of milliseconds since 1970. So numbers increase even
    /// if the database was lost or an old copy was restored, provided that there were fewer than a thousand events a
    /// second.
    ///
    /// - Precondition: `count` is greater than 0.
    public func reserveSequence(_ count: Int) async throws -> Range<UInt64> {
        precondition(count > 0, "a block of event numbers is not empty")
        let first = firstSequence
        return try await perform { [path] database in
            // Numbers are greater than 0 even where the clock is before 1970: 0 is the cursor before the first one.
            let start = max(try EventNumbers.next(in: database) ?? 1, first, 1)
            let (end, overflow) = start.addingReportingOverflow(Int64(count))
            if overflow { throw StoreError(.eventNumbersUsedUp, ["path": .path(path)]) }
            try EventNumbers.store(next: end, in: database)
            return UInt64(start)..<UInt64(end)
        }
    }
}
