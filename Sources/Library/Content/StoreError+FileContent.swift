public import StoreModel
public import StoreSystem

extension StoreError {
    /// Returns the error that names the type of a file that was rejected because it is no ZIP file.
    ///
    /// It is `nil` if the code is not `archive.no-end-record`, and if the file begins as a ZIP file does, because that
    /// one may be truncated. Reads the beginning of the file; blocks.
    ///
    /// - Parameter file: the rejected file, open for reading.
    public func namingContent(of file: OpenFile) -> StoreError? {
        guard code == .archiveNoEndRecord, let head = try? file.read(count: FileContent.headLength, at: 0),
            // The first bytes of every record of a ZIP file.
            !head.starts(with: Array("PK".utf8))
        else { return nil }
        let content = FileContent(head: head[...])
        if case .other(nil) = content { return StoreError(.archiveIsUnknownFile) }
        return StoreError(.archiveIsOtherFile, ["content": content.title])
    }
}
