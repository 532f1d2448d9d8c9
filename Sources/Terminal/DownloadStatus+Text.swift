package import StoreModel

extension DownloadStatus {
    /// Text for what the download does at present, and the reason for a wait: `waiting: the server is busy`.
    ///
    /// A reason that begins with the same word stands alone: `waiting for the network`. A queued download waits for a
    /// free slot, which the word says.
    package var activityAndReason: String {
        let word = activity?.rawValue ?? state.rawValue.lowercased()
        guard let reason, activity != .queued else { return word }
        return reason.hasPrefix(word + " ") ? reason : "\(word): \(reason)"
    }
}
