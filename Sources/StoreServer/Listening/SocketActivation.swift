/// What the environment says of sockets that systemd handed over; see sd_listen_fds(3).
enum SocketActivation: Equatable {
    case none
    /// The descriptor: the first one is always 3.
    case one(Int32)
    case tooMany(Int)

    /// - Parameter pid: of this process: variables meant for another, which it merely inherited, count for nothing.
    init(environment: [String: String], pid: Int32) {
        guard let meant = environment["LISTEN_PID"].flatMap({ Int32($0) }), meant == pid,
            let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), count > 0
        else {
            self = .none
            return
        }
        self = count == 1 ? .one(3) : .tooMany(count)
    }
}
