package import Remotes
internal import Support

/// Collections on WebDAV servers: `webdav+https://USER@HOST/PATH`. Nextcloud and ownCloud are such servers. What they
/// can do beyond others is found out when a server is tried out, and what has no trait is known by the layout of their
/// addresses (``AccountFiles``).
package struct WebDAVKind: LoginKind {
    package typealias Code = ServerCode

    private let logins: any RemoteLogins
    private let routes: ServerRoutes

    package init(_ surroundings: RemoteSurroundings) {
        logins = surroundings.logins
        routes = ServerRoutes(.process, desktop: surroundings.proxies)
    }

    package var addressForm: String { "webdav+https://…" }

    package func isMeant(by address: String) -> Bool { address.hasPrefix("webdav+") }

    package func place(_ address: String) throws(RemoteRefusal) -> any RemotePlace { try loginPlace(address) }

    package func find(_ address: TypedAddress) async throws(RemoteRefusal) -> FoundRemote? {
        switch address {
        case .server(let server): try await ServerSearch(logins: logins, routes: routes).run(server)
        case .withPassword: throw RemoteRefusal(.password)
        case .directory, .rclone, .named, .ssh, .foreign, .unusable: nil
        }
    }

    package func loginPlace(_ address: String) throws(RemoteRefusal) -> any LoginPlace {
        try ServerPlace(address, logins: logins, routes: routes)
    }
}
