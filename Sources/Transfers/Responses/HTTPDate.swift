import FoundationEssentials
import StoreCCurl

/// A parser for the date formats of HTTP (RFC 9110, 5.6.7), all three of which libcurl knows.
enum HTTPDate {
    static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
