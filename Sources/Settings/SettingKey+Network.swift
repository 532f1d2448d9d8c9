// The settings of transfers over the network.
extension SettingKey {
    /// The setting `network.allowLocalAddresses`: whether public stores may refer to hosts at loopback, link-local and
    /// private addresses.
    public static let networkAllowLocalAddresses = SettingKey(
        "network.allowLocalAddresses", .bool(false), .bool,
        "Whether public stores may refer to hosts at loopback, link-local and private addresses.")
    /// The setting `network.answerTimeout`: maximum time for a server to begin its response.
    public static let networkAnswerTimeout = SettingKey(
        "network.answerTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "Maximum time for a server to begin its response.")
    /// The setting `network.bandwidth`: bandwidth limit of all downloads together; 0 is unlimited.
    public static let networkBandwidth = SettingKey(
        "network.bandwidth", .integer(0), .integer(0...(1 << 50)), unit: .bytesPerSecond,
        "Bandwidth limit of all downloads together; 0 is unlimited.")
    /// The setting `network.certificates`: PEM file with the certificates to trust instead of the machine's.
    public static let networkCertificates = SettingKey(
        "network.certificates", .text(""), .path, needsRestart: true,
        "PEM file with the certificates to trust instead of the machine's.")
    /// The setting `network.connectTimeout`: maximum time for establishing a connection.
    public static let networkConnectTimeout = SettingKey(
        "network.connectTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "Maximum time for establishing a connection.")
    /// The setting `network.connectionsPerHost`: maximum number of connections to one host.
    public static let networkConnectionsPerHost = SettingKey(
        "network.connectionsPerHost", .integer(4), .integer(1...256), needsRestart: true,
        "Maximum number of connections to one host.")
    /// The setting `network.noProxy`: hosts to contact without a proxy, instead of those in the variable no_proxy.
    public static let networkNoProxy = SettingKey(
        "network.noProxy", .text(""), .hosts, needsRestart: true,
        "Hosts to contact without a proxy, instead of those in the variable no_proxy.")
    /// The setting `network.proxy`: proxy for all stores, instead of those in http_proxy, https_proxy and all_proxy.
    public static let networkProxy = SettingKey(
        "network.proxy", .text(""), .proxy, needsRestart: true,
        "Proxy for all stores, instead of those in http_proxy, https_proxy and all_proxy.")
    /// The setting `network.shares`: share of network.bandwidth that each kind of content gets, in percent.
    public static let networkShares = SettingKey(
        "network.shares", .text(""), .shares,
        "Share of network.bandwidth that each kind of content gets, in percent.")
    /// The setting `network.slowestRate`: minimum rate of a transfer, below which it is retried.
    ///
    /// The rate is measured during `network.stallTimeout`; 0 retries only a complete stall.
    public static let networkSlowestRate = SettingKey(
        "network.slowestRate", .integer(0), .integer(0...(1 << 40)), unit: .bytesPerSecond,
        "Minimum rate of a transfer during network.stallTimeout, below which it is retried; 0 retries only a complete stall."
    )
    /// The setting `network.stallTimeout`: time without progress after which a transfer is retried.
    public static let networkStallTimeout = SettingKey(
        "network.stallTimeout", .integer(30), .integer(1...3600), unit: .seconds,
        "Time without progress after which a transfer is retried.")

    /// The setting `network.wholeTimeout`: maximum duration of a transfer, after which it is retried; 0 is unlimited.
    public static let networkWholeTimeout = SettingKey(
        "network.wholeTimeout", .integer(0), .integer(0...31_536_000), unit: .seconds,
        "Maximum duration of a transfer, after which it is retried; 0 is unlimited.")
}
