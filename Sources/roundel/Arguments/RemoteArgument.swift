import RoundelBus

/// The REMOTE of `roundel add`: where a folder is kept in step.
struct RemoteArgument: Sendable, Equatable {
    /// The remote as the worker takes it.
    let text: String

    /// - Throws: ``CommandFailure`` for a remote whose part does not exist, and for what is no remote at all.
    init(_ argument: String, resolver: PathResolver) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        if argument.contains(":"), ["webdav+https", "webdav+http", "rclone"].contains(scheme) {
            let kind = scheme == "rclone" ? "rclone" : "WebDAV"
            throw CommandFailure(
                "This version of Roundel cannot sync with \(kind) remotes yet; give a directory, such as a mounted share."
            )
        }
        if ItemArgument.looksLikeURI(argument), scheme != "file" {
            throw CommandFailure(
                "\(argument) is not a remote: give a directory, as /path or file:///path.", status: .usage)
        }
        text = try ItemArgument(argument, resolver: resolver).uri.uri
    }

    /// Reads an argument of this process.
    static func parse(_ text: String) throws -> RemoteArgument {
        try RemoteArgument(text, resolver: .forThisProcess())
    }
}
