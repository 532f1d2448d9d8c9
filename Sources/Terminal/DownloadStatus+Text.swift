package import StoreMessages
package import StoreModel

extension DownloadStatus {
    /// Text for what the download does at present, and the reason for a wait: `waiting: the server is busy`.
    ///
    /// A reason that begins with the same word stands alone: `waiting for the network`. A queued download waits for a
    /// free slot, which the word says.
    package func activityAndReason(_ messages: Messages = .of(.english)) -> String {
        let word = activity.map { messages.word(for: $0) } ?? messages.word(for: state)
        guard let reason, activity != .queued else { return word }
        let shown = messages.translation(of: reason)
        let isWhole = reason.hasPrefix((activity?.rawValue ?? state.rawValue.lowercased()) + " ")
        return isWhole ? shown : "\(word): \(shown)"
    }
}
