import RoundelBus

/// The REMOTE of `roundel add`: what a folder syncs with.
struct RemoteArgument: Sendable, Equatable {
    /// The remote as the worker takes it.
    let text: String

    /// - Throws: ``CommandFailure`` for a remote whose part does not exist, and for what is no remote at all.
    init(_ argument: String, resolver: PathSpelling) throws {
        let scheme = argument.prefix { $0 != ":" }.lowercased()
        if argument.contains(":"), ["webdav+https", "webdav+http", "rclone"].contains(scheme) {
            throw CommandFailure(scheme == "rclone" ? Text.unsupportedRclone : Text.unsupportedWebDAV)
        }
        if ItemArgument.looksLikeURI(argument), scheme != "file" {
            throw CommandFailure(Text.notARemote(argument), status: .usage)
        }
        text = try ItemArgument(argument, resolver: resolver).uri.uri
    }

    /// Reads an argument of this process.
    static func parse(_ text: String) throws -> RemoteArgument {
        try RemoteArgument(text, resolver: .forThisProcess())
    }
}
