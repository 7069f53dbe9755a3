internal import DBus
internal import RoundelBus
internal import Support

/// The session's notification daemon (Desktop Notifications Specification 1.2).
final class NotificationDaemon {
    /// The events of the daemon.
    enum Event {
        /// The daemon has appeared, disappeared or been replaced.
        case changed
        /// The notification with this number is no longer visible.
        case closed(UInt32)
        /// A button was pressed; the token, if any, lets a window take the focus.
        case invoked(UInt32, button: String, token: String?)
    }

    /// The result of looking for the daemon.
    enum Presence {
        /// It answered.
        case present
        /// It is there or being started, and did not answer in time.
        case silent
        /// There is none, and the bus can start none.
        case absent
    }

    /// The result of showing a notification.
    enum Answer {
        case shown(UInt32)
        case refused(String)
        /// No daemon took it.
        case lost
    }

    private let bus: Connection
    private var onEvent: ((Event) -> Void)?
    private var ownerWatch: Registration?
    private var isFirstOwner = true
    /// How many owners the name had.
    private var owners = 0
    private let patience: Duration
    private var signals: Registration?
    private var tokens: [UInt32: String] = [:]
    private var capabilities: Set<String> = []

    private static let name = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"

    /// - Parameter patience: How long a daemon may take to say what it can do; starting one may take a while.
    init(bus: Connection, patience: Duration = Patience.Desktop.daemon) {
        self.bus = bus
        self.patience = patience
    }

    /// Reports from now on when the daemon appears or disappears, and user actions on notifications while ``follows``
    /// is set.
    func watch(_ onEvent: @escaping (Event) -> Void) throws {
        self.onEvent = onEvent
        ownerWatch = try bus.watchName(Self.name) { [weak self] _ in
            guard let self else { return }
            owners += 1
            // The first owner is not a change.
            if isFirstOwner { isFirstOwner = false } else { onEvent(.changed) }
        }
    }

    /// Whether one of this program's notifications is visible. If not, signals about other programs' notifications
    /// should not wake this one.
    var follows = false {
        didSet {
            if follows == (signals != nil) { return }
            signals?.cancel()
            signals = nil
            tokens = [:]
            if follows { follow() }
        }
    }

    private func follow() {
        do {
            signals = try bus.subscribe(MatchRule(sender: Self.name, path: Self.path, interface: Self.name)) {
                [weak self] in self?.take($0)
            }
        } catch {
            log(.warning, "The buttons of notifications do nothing: \(error)")
        }
    }

    private func take(_ signal: Message) {
        var reader = signal.reader
        guard let number = try? reader.readUInt32() else { return }
        switch signal.member {
        case "NotificationClosed":
            tokens[number] = nil
            onEvent?(.closed(number))
        case "ActivationToken": tokens[number] = try? reader.readString()
        case "ActionInvoked":
            guard let button = try? reader.readString() else { return }
            onEvent?(.invoked(number, button: button, token: tokens.removeValue(forKey: number)))
        default: break
        }
    }

    /// Finds out the daemon's capabilities; the bus starts one if it is installed.
    func connect(_ done: @escaping (Presence) -> Void) {
        bus.call(Self.name, Self.path, Self.name, "GetCapabilities", timeout: patience) { [weak self] result in
            switch result {
            case .success(let reply):
                var reader = reply.reader
                self?.capabilities = Set((try? reader.readStringArray()) ?? [])
                done(.present)
            case .failure(let error):
                let isSilent: [StandardError] = [.noReply, .timedOut]
                done(error.standard.map { isSilent.contains($0) } == true ? .silent : .absent)
            }
        }
    }

    /// Shows a notification, replacing another one if `replaced` is not 0.
    ///
    /// There is no limit to the wait for the answer: a daemon that stood still shows the notification when it goes on,
    /// and only its answer says how to replace and close it. The bus answers for a daemon that is gone. `done` is not
    /// called if there is another daemon by then.
    func show(_ content: NotificationContent, replacing replaced: UInt32, _ done: @escaping (Answer) -> Void) {
        let text = capabilities.contains("body-markup") ? content.text.escapedForMarkup : content.text
        let buttons = capabilities.contains("actions") ? content.buttons.flatMap { [$0.id, $0.label] } : []
        follows = true
        bus.call(
            Self.name, Self.path, Self.name, "Notify",
            { writer in
                try writer.append("Roundel")
                try writer.append(replaced)
                try writer.append("org.roundel.Roundel")
                try writer.append(content.title)
                try writer.append(text)
                try writer.append(strings: buttons)
                try writer.append(map: [
                    "urgency": .byte(content.urgency.rawValue), "category": .string(content.category),
                    "desktop-entry": .string("org.roundel.Roundel"),
                ])
                try writer.append(Int32(-1))
            }
        ) { [weak self, owners] result in
            guard self?.owners == owners else { return }
            switch result {
            case .success(let reply):
                var reader = reply.reader
                let number = try? reader.readUInt32()
                done(number.map { .shown($0) } ?? .refused("The daemon's answer is none."))
            case .failure(let error):
                let isGone: [StandardError] = [.serviceUnknown, .nameHasNoOwner, .noReply, .disconnected, .timedOut]
                done(error.standard.map { isGone.contains($0) } == true ? .lost : .refused(error.message))
            }
        }
    }

    /// Closes a notification.
    func close(_ number: UInt32) {
        // If the daemon is gone, so is the notification.
        try? bus.callNoReply(Self.name, Self.path, Self.name, "CloseNotification") { try $0.append(number) }
    }
}
