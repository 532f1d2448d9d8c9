import FoundationEssentials
import StoreCCurl

/// A namespace for parsing the three date formats of HTTP (RFC 9110, 5.6.7), by a function of libcurl.
enum HTTPDate {
    /// Returns the date that an HTTP header field's value states; `nil` where it is not valid.
    static func parse(_ text: String) -> Date? {
        guard CurlLibrary.load() else { return nil }
        let seconds = ccurl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
