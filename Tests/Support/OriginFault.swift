/// One thing that an ``Origin`` does otherwise than a good server would, in one answer.
///
/// Several may be combined.
public enum OriginFault: Sendable {
    // MARK: Before the answer
    /// The connection is reset, and nothing is answered.
    case close
    /// Nothing is answered until ``Origin/release()``, or until either end closes the connection.
    case stallBeforeAnswer
    /// The first line of the answer, then nothing until ``Origin/release()``; the rest follows then.
    case stallInHeaders
    /// The first line of the answer, then the connection is reset.
    case resetInHeaders
    /// The first line of the answer, then the connection is closed in good order.
    case closeInHeaders
    /// The headers come letter by letter, fifty a second.
    case crawlInHeaders
    /// From now on connections are refused, until ``Origin/open()``; the answer that has this fault still comes.
    case goDown
    /// Nothing is answered for a while.
    case delay(Duration)
    /// These bytes instead of an answer, then the connection is closed.
    case raw([UInt8])

    // MARK: Another answer
    /// A status with no content of the file; further headers such as `Retry-After`.
    case status(Int, [String: String] = [:])
    /// Leads to another address, absolute or a path.
    case redirect(to: String, status: Int = 302)
    /// Another file than before, under the same name.
    case bytes([UInt8])
    /// Another entity tag than that of the content; `nil` for none.
    case etag(String?)
    /// One more header; of a name that the answer has already, this one instead.
    case header(String, String)
    /// Ranges are not known: the whole file is sent.
    case ignoreRange
    /// A range is sent whatever `If-Range` says.
    case ignoreIfRange

    // MARK: The body
    /// So many bytes of the body, then the connection is reset.
    case resetAfter(Int)
    /// So many bytes of the body, then nothing until ``Origin/release()``; the rest follows then.
    case stallAfter(Int)
    /// The file up to this byte, counted in the file and not in the answer, then the connection is reset. Nothing of the
    /// body where the answer begins behind it.
    case resetAt(Int)
    /// As ``resetAt(_:)``, but the connection is closed in good order.
    case closeAt(Int)
    /// The file up to this byte, then nothing until ``Origin/release()``; the rest follows then.
    case stallAt(Int)
    /// From this byte of the file on fifty bytes a second come.
    case crawlAt(Int)
    /// This byte of the file is another one.
    case wrongAt(Int)
    /// The body ends so many bytes before the length that was declared, in good order.
    case short(by: Int)
    /// So many bytes follow after the length that was declared.
    case long(by: Int)
    /// The body comes in chunks, without a declared length.
    case chunked
    /// The body has no declared length and ends with the connection.
    case untilClose
    /// The body never ends; it comes in chunks.
    case endless
    /// The body comes with so many bytes a second.
    case rate(Int)
}
