package import DBus
internal import Glibc
internal import Support

/// Lets the person choose files or a directory in the dialog of their desktop, over the bus: the file chooser of
/// xdg-desktop-portal.
///
/// Belongs to the thread of the bus' loop.
package final class FileChooser {
    /// What the dialog asks for.
    package struct Question: Equatable {
        /// The title of the dialog.
        package var title: String
        /// The label of the button that ends it.
        package var accept: String
        /// Whether directories are chosen, and no files.
        package var directories: Bool
        /// Whether more than one can be chosen.
        package var several: Bool

        /// A question.
        package init(title: String, accept: String, directories: Bool, several: Bool) {
            (self.title, self.accept, self.directories, self.several) = (title, accept, directories, several)
        }
    }

    /// How the dialog ended.
    package enum Answer: Equatable {
        /// With these URIs, at least one, as the portal spells them.
        case chosen([String])
        /// The person closed it.
        case cancelled
        /// It could not be shown or did not end properly, as the sentence says.
        case failed(String)
    }

    private let bus: Connection
    private var ownerWatch: Registration?
    private var isOwned = false
    private var isStartable = false
    private var open: [ObjectIdentifier: Dialog] = [:]

    private static let name = "org.freedesktop.portal.Desktop"
    private static let path: ObjectPath = "/org/freedesktop/portal/desktop"
    private static let interface = "org.freedesktop.portal.FileChooser"
    /// The maximum number of dialogs at a time.
    private static let mostOpen = 8

    /// Follows from now on whether there is a portal; none is started.
    package init(bus: Connection) {
        self.bus = bus
        do {
            ownerWatch = try bus.watchName(Self.name) { [weak self] owner in
                self?.isOwned = owner != nil
                self?.askWhetherStartable()
            }
        } catch {
            log(.warning, "Whether there is a file chooser cannot be followed: \(error)")
        }
    }

    /// Whether there is a portal, or the bus can start one.
    package var isThere: Bool { isOwned || isStartable }

    private func askWhetherStartable() {
        bus.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListActivatableNames") {
            [weak self] result in
            guard case .success(let reply) = result else { return }
            var reader = reply.reader
            self?.isStartable = ((try? reader.readStringArray()) ?? []).contains(Self.name)
        }
    }

    /// Shows the dialog.
    ///
    /// - Parameter parent: The window that it belongs to, as portals name windows; nil for none.
    package func ask(_ question: Question, parent: String?, _ answer: @escaping (Answer) -> Void) {
        guard open.count < Self.mostOpen else {
            return answer(.failed(tr("{1} dialogs are open already. Answer one of them first.", "\(open.count)")))
        }
        let dialog = Dialog(bus, token: "roundel_\(String(UInt64.random(in: 0 ... .max), radix: 16))")
        open[ObjectIdentifier(dialog)] = dialog
        dialog.show(question, parent: parent) { [weak self, unowned dialog] result in
            self?.open[ObjectIdentifier(dialog)] = nil
            answer(result)
        }
    }

    /// One dialog: the call, and the object that the portal makes for it (xdg-desktop-portal, "Request").
    private final class Dialog {
        private let bus: Connection
        private let token: String
        private var registrations: [Registration] = []
        private var request: PortalRequest
        private var onEnd: ((Answer) -> Void)?

        init(_ bus: Connection, token: String) {
            (self.bus, self.token) = (bus, token)
            request = PortalRequest(handle: PortalRequest.handle(of: bus.uniqueName, token))
        }

        func show(_ question: Question, parent: String?, _ onEnd: @escaping (Answer) -> Void) {
            self.onEnd = onEnd
            do {
                // Before the call: the answer may come before the reply to the call.
                try subscribe(to: request.handle)
                registrations.append(
                    try bus.watchName(FileChooser.name) { [weak self] owner in
                        guard let self else { return }
                        end(with: request.ownerChanged(to: owner))
                    })
            } catch {
                return bus.loop.atEndOfTurn { [weak self] in
                    self?.end(with: .failed(PortalRequest.unusable(error.message)))
                }
            }
            bus.call(
                FileChooser.name, FileChooser.path, FileChooser.interface, "OpenFile",
                { [token] writer in
                    try writer.append(parent ?? "")
                    try writer.append(question.title)
                    try writer.append(map: [
                        "handle_token": .string(token), "accept_label": .string(question.accept),
                        "multiple": .bool(question.several), "directory": .bool(question.directories),
                    ])
                }
            ) { [weak self] result in self?.replied(result) }
        }

        private func subscribe(to handle: String) throws(DBusError) {
            let rule = MatchRule(
                sender: FileChooser.name, path: try ObjectPath(handle),
                interface: "org.freedesktop.portal.Request", member: "Response")
            registrations.append(
                try bus.subscribe(rule) { [weak self] signal in
                    var reader = signal.reader
                    guard let self, let code = try? reader.readUInt32() else { return }
                    let uris = (try? reader.readVariantMap())?.strings("uris")
                    end(with: PortalRequest.answer(code: code, uris: uris ?? []))
                })
        }

        private func replied(_ result: Result<Message, DBusError>) {
            switch result {
            case .failure(let error): end(with: .failed(PortalRequest.unusable(error.message)))
            case .success(let reply):
                var reader = reply.reader
                // Portals before version 0.9 choose the object themselves.
                guard let handle = try? reader.readObjectPath().rawValue, handle != request.handle else { return }
                try? subscribe(to: handle)
            }
        }

        private func end(with answer: Answer?) {
            guard let answer, let onEnd else { return }
            self.onEnd = nil
            for registration in registrations { registration.cancel() }
            registrations = []
            onEnd(answer)
        }
    }
}
