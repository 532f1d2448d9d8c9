public import FoundationEssentials
public import StoreModel
public import StoreSystem

// The former names, until all callers use the new ones.

public typealias TransferError = StoreError
public typealias SourceList = MirrorList
public typealias PartialNote = PartialFileRecord

extension MirrorList {
    public var reached: [URL] { reachable }
}

extension PartialFile {
    public convenience init(_ file: OpenFile, note: PartialFileRecord?) { self.init(file, record: note) }
    public static func resuming(_ file: OpenFile, note: PartialFileRecord?) async throws -> PartialFile {
        try await resuming(file, record: note)
    }
}

extension Transferring {
    public func asking<Value>(
        _ mirrors: inout MirrorList, _ body: (URL) async throws -> Value
    ) async throws -> Value {
        try await withFailover(&mirrors, body)
    }
}
