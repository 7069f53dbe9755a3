internal import Client
internal import RoundelBus
internal import Support

extension RemotePlace {
    /// The words for the address of a remote; the address as it is if it is of no known form.
    static func words(_ remote: String) -> String {
        switch RemotePlace(remote) {
        case .directory(let directory): directory.sentencePath
        case .service(let service, let path):
            // Translators: {1} is a path on a server, {2} is the server.
            path.isEmpty ? service : tr("{1} on {2}", path, service)
        case .other(let address): address
        }
    }
}
