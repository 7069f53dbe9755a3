import DBus
import TestSupport

/// A portal whose file dialog is answered by the test.
final class StandInFileChooser {
    /// A dialog that was asked for.
    struct Dialog {
        let handle: ObjectPath
        let caller: String
        let parent: String
        let options: VariantMap
    }

    static let name = "org.freedesktop.portal.Desktop"
    private let world: World
    private let bus: Connection
    private(set) var dialogs: [Dialog] = []
    /// What the next dialogs are answered with at once; nil to leave them open.
    var answer: (code: UInt32, uris: [String])?

    init(_ world: World) throws {
        self.world = world
        bus = try world.connect()
        let method = Interface.Method(
            "OpenFile", in: [("parent", "s"), ("title", "s"), ("options", "a{sv}")], out: [("handle", "o")]
        ) { [unowned self] call in
            let arguments = try call.message.arguments()
            let options = arguments[2].map ?? [:]
            let caller = call.message.sender ?? ""
            let sender = caller.dropFirst().map { $0 == "." ? "_" : String($0) }.joined()
            let handle = try ObjectPath(
                "/org/freedesktop/portal/desktop/request/\(sender)/\(options.string("handle_token") ?? "t")")
            dialogs.append(
                Dialog(handle: handle, caller: caller, parent: arguments[0].string ?? "", options: options))
            // The answer comes first: whoever subscribes only after the reply misses it.
            if let answer { try respond(answer.code, answer.uris) }
            call.reply { try $0.append(handle) }
        }
        _ = try bus.export(
            Interface("org.freedesktop.portal.FileChooser", methods: [method]), at: "/org/freedesktop/portal/desktop")
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(Self.name), .uint32(4)])
    }

    /// The last dialog ends.
    func respond(_ code: UInt32, _ uris: [String]) throws {
        guard let dialog = dialogs.last else { throw Failure("no dialog was asked for") }
        try bus.emit(dialog.handle, "org.freedesktop.portal.Request", "Response", to: dialog.caller) {
            try $0.append(code)
            try $0.append(map: ["uris": .strings(uris)])
        }
    }

    /// The portal leaves the bus.
    func leave() { bus.close() }
}
