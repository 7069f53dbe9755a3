internal import RoundelBus

/// A SetFolders call whose folders are being checked.
struct FolderCheck {
    let provider: ProviderID
    let connection: String
    let offers: [FolderOffer]
}

/// The SetFolders calls whose folders are being checked on another thread, at most one per connection, and the later
/// calls of the same connection: a provider's calls take effect in order.
///
/// For a folder on a mount that does not respond, the check gives up after two seconds. If a local disk hangs, the
/// check hangs as well, and the calls wait until it ends or their caller leaves the bus.
struct FolderChecks {
    private struct Open {
        let token: CallToken
        let check: FolderCheck
        var waiting: [RegistryCall] = []
        var waitingBytes = 0
    }

    /// By connection.
    private var open: [String: Open] = [:]
    private var connections: [CallToken: String] = [:]

    /// Whether further calls of a connection must wait.
    func isOpen(_ connection: String) -> Bool { open[connection] != nil }

    /// Starts a check; the connection must have no other open one.
    mutating func begin(_ token: CallToken, _ check: FolderCheck) {
        open[check.connection] = Open(token: token, check: check)
        connections[token] = check.connection
    }

    /// Keeps a call of a connection with an open check; false if too many wait already.
    mutating func wait(_ call: RegistryCall) -> Bool {
        guard let entry = open[call.caller], entry.waiting.count < Limits.waitingCalls else { return false }
        let bytes = entry.waitingBytes + call.request.size
        guard bytes <= Limits.waitingBytes else { return false }
        open[call.caller]?.waiting.append(call)
        open[call.caller]?.waitingBytes = bytes
        return true
    }

    /// A check has ended; returns it with the calls that waited for it, in order; nil if its caller has left.
    mutating func end(_ token: CallToken) -> (check: FolderCheck, waiting: [RegistryCall])? {
        guard let connection = connections.removeValue(forKey: token),
            let entry = open.removeValue(forKey: connection)
        else { return nil }
        return (entry.check, entry.waiting)
    }

    /// A connection has left the bus; forgets and returns its calls.
    mutating func removeAll(of connection: String) -> [CallToken] {
        guard let entry = open.removeValue(forKey: connection) else { return [] }
        connections[entry.token] = nil
        return [entry.token] + entry.waiting.map(\.token)
    }
}

extension RegistryRequest {
    /// Roughly how many bytes a call occupies while it waits.
    fileprivate var size: Int {
        func sum(_ texts: String...) -> Int { texts.reduce(0) { $0 + $1.utf8.count + 16 } }
        return switch self {
        case .register(let registration):
            registration.services.reduce(
                sum(registration.object, registration.id, registration.name, registration.icon)
                    + (registration.toolbarItem.map { sum($0.name, $0.icon, $0.tooltip) } ?? 0)
            ) { $0 + sum($1.key, $1.value) }
        case .setFolders(let offers): offers.reduce(0) { $0 + sum($1.folder.uri, $1.label, $1.icon) }
        case .setBadgeImages(let images): images.reduce(0) { $0 + sum($1.badge.identifier, $1.label, $1.icon) }
        case .storePicture(let name, let bytes): sum(name) + bytes.count
        case .updateBadges(let uri, let columns):
            sum(uri.uri) + columns.names.reduce(0) { $0 + sum($1.encoded) }
                + columns.badges.reduce(0) { $0 + sum($1.identifier) } + 5 * columns.flags.count
        case .setFolderStatus(let uri, let status, let notices):
            notices.reduce(sum(uri.uri, status.text)) { $0 + $1.size }
        case .flush(let uri): sum(uri.uri)
        case .unregister: 0
        }
    }
}

extension FolderNotice {
    /// Roughly how many bytes it occupies.
    var size: Int {
        actions.reduce(id.utf8.count + title.utf8.count + text.utf8.count + 64) {
            $0 + $1.id.utf8.count + $1.label.utf8.count + 32
        }
    }
}
