import FoundationEssentials
import StoreCCurl

/// Dates as HTTP writes them (RFC 9110, 5.6.7), read by libcurl, which knows all three forms.
enum HTTPDate {
    static func parse(_ text: String) -> Date? {
        let seconds = curl_getdate(text, nil)
        return seconds == -1 ? nil : Date(timeIntervalSince1970: Double(seconds))
    }
}
