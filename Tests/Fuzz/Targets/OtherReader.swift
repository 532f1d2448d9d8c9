import StoreCZip

/// Reads archives with libzip for comparison.
enum OtherReader {
    /// Returns the bytes of each file by name; `nil` if libzip can't read the archive.
    static func contents(of bytes: [UInt8]) -> [String: [UInt8]]? {
        bytes.withUnsafeBytes { bytes in
            var error = zip_error_t()
            defer { zip_error_fini(&error) }
            guard let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, &error) else {
                return nil
            }
            guard let archive = zip_open_from_source(source, ZIP_RDONLY, &error) else {
                zip_source_free(source)
                return nil
            }
            defer { zip_discard(archive) }
            var contents: [String: [UInt8]] = [:]
            for index in 0..<UInt64(max(0, zip_get_num_entries(archive, 0))) {
                guard let name = zip_get_name(archive, index, UInt32(ZIP_FL_ENC_RAW)) else { return nil }
                let text = String(cString: name)
                if text.utf8.last == UInt8(ascii: "/") { continue }
                guard let content = content(index, of: archive) else { return nil }
                contents[text] = content
            }
            return contents
        }
    }

    private static func content(_ index: UInt64, of archive: OpaquePointer) -> [UInt8]? {
        guard let file = zip_fopen_index(archive, index, 0) else { return nil }
        defer { zip_fclose(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Int(zip_fread(file, &piece, UInt64(piece.count)))
            if count < 0 { return nil }
            if count == 0 { return content }
            content += piece.prefix(count)
        }
    }
}
