internal import RoundelBus
internal import Secrets
internal import Support
internal import SyncCore
internal import WebDAV

/// A collection on a server with which a folder is synced, and the account whose login it needs.
struct ServerPlace: Equatable, Sendable {
    /// The collection.
    let location: ServerLocation
    /// The account; without a user, any login saved for the server is used.
    let account: RemoteAccount

    /// Parses `webdav+https://USER@HOST/PATH`, or on this computer also `webdav+http://…`.
    /// - Throws: `InvalidRemote`, without the address, which may contain a password.
    init(_ text: String) throws(WorkerError) {
        do throws(RemoteAccount.Mistake) {
            account = try RemoteAccount(remote: text)
        } catch {
            throw .noServerAddress(because: error)
        }
        do throws(ServerLocation.Mistake) {
            location = try ServerLocation(Self.addressWithoutUser(text))
        } catch {
            throw .noServerAddress(because: .malformed)
        }
    }

    /// The address of the collection, for display.
    var name: String { location.address(of: .root, isDirectory: true) }

    /// The canonical text of the remote.
    var text: String {
        let user = account.user.map { PercentCoding.encode(segment: Array($0.utf8)) + "@" } ?? ""
        guard let mark = name.firstRange(of: "://") else { return name }
        return "webdav+" + name[..<mark.upperBound] + user + name[mark.upperBound...]
    }

    private static func addressWithoutUser(_ text: String) -> String {
        let address = text.drop { $0 != "+" }.dropFirst()
        guard let mark = address.firstRange(of: "://") else { return String(address) }
        let rest = address[mark.upperBound...]
        let authority = rest.prefix { $0 != "/" }
        guard let sign = authority.lastIndex(of: "@") else { return String(address) }
        return String(address[..<mark.upperBound] + rest[rest.index(after: sign)...])
    }

    /// Whether one of the two collections contains or equals the other. Two users may have separate places at one
    /// address.
    func overlaps(_ other: ServerPlace) -> Bool {
        guard location.origin == other.location.origin else { return false }
        if let user = account.user, let second = other.account.user, user != second { return false }
        if let files = AccountFiles(of: location), let second = AccountFiles(of: other.location), files.overlaps(second)
        {
            return true
        }
        let (names, others) = (location.names, other.location.names)
        return names.starts(with: others) || others.starts(with: names)
    }
}
