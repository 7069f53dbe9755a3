internal import RoundelBus
internal import Secrets
internal import Support
internal import SyncCore
internal import WebDAV

/// A collection on a server that a folder is synced with, and the account whose login it needs.
struct ServerPlace: Equatable, Sendable {
    /// The collection.
    let location: ServerLocation
    /// The account; without a user, whichever is saved for the server.
    let account: RemoteAccount

    /// Reads `webdav+https://USER@HOST/PATH`, on this computer `webdav+http://…` as well.
    /// - Throws: `InvalidRemote`, with nothing of the address, which may have a password in it.
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

    /// The address of the collection, for people.
    var name: String { location.address(of: .root, isDirectory: true) }

    /// The remote as it is written, in its canonical form.
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

    /// Whether one of the two collections is the other or lies in it. Two users may each have a place of their own at one
    /// address.
    func overlaps(_ other: ServerPlace) -> Bool {
        guard location.origin == other.location.origin else { return false }
        if let user = account.user, let second = other.account.user, user != second { return false }
        let (names, others) = (location.names, other.location.names)
        return names.starts(with: others) || others.starts(with: names)
    }
}
