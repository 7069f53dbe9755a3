internal import BadgeEngine
internal import DBus
internal import RoundelBus
internal import Support

/// Sends the signals of the service, and detects receivers that do not read theirs.
final class SignalSender {
    private let bus: Connection
    private let onFallenBehind: (_ client: String) -> Void
    private var receivers = ReceiverLedger()

    /// - Parameter onFallenBehind: Called with a client that does not read its signals.
    init(bus: Connection, onFallenBehind: @escaping (_ client: String) -> Void) {
        self.bus = bus
        self.onFallenBehind = onFallenBehind
    }

    /// Called when a client has left the bus.
    func forget(_ client: String) { receivers.forget(client) }

    /// Notifies a client that its observations have ended.
    func reset(_ client: String) { emit("Reset", to: client) { _ in } }

    /// Sends a menu to a client whose menu it completes.
    func send(_ menu: HostedMenu, to client: String) {
        do {
            try bus.emit(Names.servicePath, Names.host, "MenuChanged", to: client) { try menu.append(to: &$0) }
        } catch {
            logUnsent("MenuChanged could not be sent to \(client)", error)
        }
    }

    /// Sends the result of an action to a client.
    func send(_ action: FinishedAction, to client: String) {
        emit("ActionFinished", to: client, extras: action.clipboard?.wire ?? [:]) { writer in
            try writer.append(action.menu)
            try writer.append(action.item)
            try writer.append(action.outcome.rawValue)
            try writer.append(action.message)
        }
    }

    /// Sends badges to a client, unless it does not read its signals.
    func send(_ columns: BadgeColumns, of directory: ItemURI, to client: String) {
        // A row contains two strings with their length and padding, a flag and a byte of progress.
        let size = columns.names.reduce(128) { $0 + $1.encoded.utf8.count + 24 }
        let advice = receivers.willSend(size, to: client)
        switch advice {
        case .drop: return
        case .fellBehind:
            log(.warning, "\(client) does not read its signals; its observations are ended.")
            onFallenBehind(client)
            return
        case .send, .sendAndPing: break
        }
        emit("BadgesChanged", to: client) { writer in
            try writer.append(directory)
            try writer.append(columns: columns)
        }
        if advice == .sendAndPing { ping(client) }
    }

    /// Notifies all clients that the list of providers has changed.
    func sendProvidersChanged() {
        do {
            try bus.emit(Names.servicePath, Names.providers, "Changed") { try $0.appendNoExtras() }
        } catch {
            logUnsent("A change of the providers could not be announced", error)
        }
    }

    private func emit(
        _ signal: String, to client: String, extras: VariantMap = [:], _ write: (inout MessageWriter) throws -> Void
    ) {
        do {
            try bus.emit(Names.servicePath, Names.host, signal, to: client) { writer in
                try write(&writer)
                try writer.append(map: extras)
            }
        } catch {
            logUnsent("\(signal) could not be sent to \(client)", error)
        }
    }

    private func ping(_ client: String) {
        bus.ping(client, timeout: nil) { [unowned self] _ in
            if receivers.answered(client) { ping(client) }
        }
    }
}
