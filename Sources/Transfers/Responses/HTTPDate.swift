import FoundationEssentials
import StoreCCurl

/// A parser for the three date formats of HTTP (RFC 9110, 5.6.7), by a function of libcurl.
enum HTTPDate {
    /// Returns the date that a header field contains; `nil` where it is not valid.
    static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
