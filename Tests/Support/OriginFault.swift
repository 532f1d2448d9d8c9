/// A way in which a response of an ``Origin`` deviates from that of a correct server.
///
/// Faults can be combined.
public enum OriginFault: Sendable {
    // MARK: Before the response
    /// Resets the connection without a response.
    case close
    /// Sends nothing until ``Origin/release()`` or until either end closes the connection.
    case stallBeforeAnswer
    /// Sends the status line, and the rest after ``Origin/release()``.
    case stallInHeaders
    /// Sends the status line and resets the connection.
    case resetInHeaders
    /// Sends the status line and closes the connection regularly.
    case closeInHeaders
    /// Sends headers that do not end, byte by byte, fifty per second.
    case crawlInHeaders
    /// Refuses new connections until ``Origin/open()``; this response is still sent.
    case goDown
    /// Delays the response.
    case delay(Duration)
    /// Sends these bytes instead of a response and closes the connection.
    case raw([UInt8])

    // MARK: Another response
    /// Responds with a status without the file's content, and with additional headers such as `Retry-After`.
    case status(Int, [String: String] = [:])
    /// Redirects to another URL, absolute or a path.
    case redirect(to: String, status: Int = 302)
    /// Serves another file under the same path.
    case bytes([UInt8])
    /// Sends another entity tag than that of the content; none if `nil`.
    case etag(String?)
    /// Adds a header, or replaces the one with the same name.
    case header(String, String)
    /// Sends the whole file for a range request.
    case ignoreRange
    /// Sends the requested range whatever `If-Range` says.
    case ignoreIfRange

    // MARK: The body
    /// Resets the connection after this many bytes of the body.
    case resetAfter(Int)
    /// Closes the connection regularly after this many bytes of the body, so that the client receives all of them.
    case closeAfter(Int)
    /// Sends this many bytes of the body, and the rest after ``Origin/release()``.
    case stallAfter(Int)
    /// Resets the connection before this byte of the file.
    ///
    /// The position counts from the start of the file, not of the response; if the response begins later, none of its
    /// body is sent.
    case resetAt(Int)
    /// Closes the connection regularly before this byte of the file.
    case closeAt(Int)
    /// Sends the file up to this byte, and the rest after ``Origin/release()``.
    case stallAt(Int)
    /// Sends fifty bytes per second from this byte of the file on, and the rest at once after ``Origin/release()``.
    case crawlAt(Int)
    /// Changes this byte of the file.
    case wrongAt(Int)
    /// Ends the body this many bytes before its declared length, regularly.
    case short(by: Int)
    /// Sends this many bytes after the declared length.
    case long(by: Int)
    /// Sends the body in chunks, without a declared length.
    case chunked
    /// Sends the body without a declared length; it ends with the connection.
    case untilClose
    /// Sends a body in chunks that never ends.
    case endless
    /// Limits the body to this many bytes per second.
    case rate(Int)
}
