/// The sockets that systemd passed to the process, according to its environment (sd_listen_fds(3)).
enum SocketActivation: Equatable {
    case none
    /// systemd passed one socket, given by its descriptor; the first descriptor is always 3.
    case one(Int32)
    case tooMany(Int)

    /// Determines from the environment which sockets systemd passed to the process.
    ///
    /// - Parameter pid: the id of this process; variables that were set for another process are ignored.
    init(environment: [String: String], pid: Int32) {
        guard let target = environment["LISTEN_PID"].flatMap({ Int32($0) }), target == pid,
            let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
        else {
            self = .none
            return
        }
        self = count == 1 ? .one(3) : .tooMany(count)
    }
}
