/// What the desktop's settings say about proxies. Where they are kept, only the implementation knows.
package protocol DesktopProxies: Sendable {
    /// How often the network, or who answers for the settings, has changed so far. What was answered before a change may
    /// no longer hold.
    var changes: UInt64 { get }

    /// The addresses of the proxies to use for a server, the best first, such as `http://proxy:3128` or `direct://`; nil if
    /// nobody answers. Takes a limited time.
    ///
    /// - Parameter origin: The server's address without a path, such as `https://cloud.example.org`.
    func proxies(for origin: String) async -> [String]?
}
