import Hummingbird
import StoreImages

/// What a file is said to be.
enum MediaTypes {
    /// The type of a file from a pack: by its bytes where they tell an image, else by its name as far as that names
    /// something that no browser runs.
    ///
    /// - Parameters:
    ///   - head: its first bytes.
    ///   - suffix: what stands after the last dot of its name, in lower case.
    static func harmless(head: [UInt8], suffix: String) -> String {
        if let format = ImageFormat(head: head[...]) { return format.mediaType }
        let type = named(suffix)
        // A drawing is one by its bytes or not at all: it is the one kind of image in which something can run.
        if type.hasPrefix("image/"), type != ImageFormat.svg.mediaType { return type }
        if suffix == "json" { return "application/json" }
        return isText(head) ? "text/plain; charset=utf-8" : "application/octet-stream"
    }

    /// The type that a name says.
    static func named(_ suffix: String) -> String {
        // APNG is not among those that Hummingbird knows.
        if suffix == "apng" { return ImageFormat.apng.mediaType }
        return MediaType.getMediaType(forExtension: suffix)?.description ?? "application/octet-stream"
    }

    /// As the WHATWG's rules for sniffing tell text: no byte that only binary data has.
    private static func isText(_ head: [UInt8]) -> Bool {
        head.allSatisfy { $0 >= 0x20 || (0x09...0x0D).contains($0) && $0 != 0x0B || $0 == 0x1B }
    }
}
