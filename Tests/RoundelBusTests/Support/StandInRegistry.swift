import DBus
import RoundelBus
import TestSupport

/// A badge service that accepts everything, unless it is told otherwise, and remembers what it was told.
final class StandInRegistry {
    struct Call: Equatable {
        let method: String
        let arguments: [DBusValue]
    }

    let bus: Connection
    private(set) var calls: [Call] = []
    /// Methods that are refused.
    var refusals: [String: DBusError] = [:]
    /// Methods whose calls are kept in ``kept`` instead of answered.
    var kept: [String: [MethodCall]] = [:]
    /// What UpdateBadges answers.
    var isObserved = true

    init(on bus: Connection) throws {
        self.bus = bus
        let folder: [Interface.Argument] = [("folder", "s")]
        let methods: [(String, [Interface.Argument], [Interface.Argument])] = [
            ("Register", [("object", "o")], []), ("SetFolders", [("folders", "a(sa{sv})")], []),
            ("SetBadgeImages", [("images", "a(sss)")], []),
            (
                "UpdateBadges",
                [("directory", "s"), ("names", "as"), ("badges", "as"), ("flags", "au"), ("progress", "ay")],
                [("observed", "b")]
            ),
            ("SetFolderStatus", folder + [("state", "u"), ("text", "s"), ("progress", "y")], []), ("Flush", folder, []),
            ("Unregister", [], []),
        ]
        let interface = Interface(
            Names.registry,
            methods: methods.map { name, input, output in
                Interface.Method(name, in: input + [("options", "a{sv}")], out: output + [("extra", "a{sv}")]) {
                    [unowned self] call in try take(call)
                }
            })
        _ = try bus.export(interface, at: Names.servicePath)
    }

    private func take(_ call: MethodCall) throws {
        calls.append(Call(method: call.member, arguments: try call.message.arguments()))
        if let refusal = refusals[call.member] { throw refusal }
        if kept[call.member] != nil {
            kept[call.member]?.append(call)
        } else {
            answer(call)
        }
    }

    func answer(_ call: MethodCall) {
        let isObserved = isObserved
        call.reply { writer in
            if call.member == "UpdateBadges" { try writer.append(isObserved) }
            try writer.appendNoExtras()
        }
    }

    /// Takes or gives up the service's name.
    func appear(isReplaceable: Bool = false, replacing: Bool = false) {
        var flags: NameFlags = [.doNotQueue]
        if isReplaceable { flags.insert(.allowReplacement) }
        if replacing { flags.insert(.replaceExisting) }
        bus.requestName(Names.service, flags: flags) { _ in }
    }
    func vanish() { bus.releaseName(Names.service) }

    var methods: [String] { calls.map(\.method) }

    /// The calls of a method, without the options that end them.
    func calls(of method: String) -> [[DBusValue]] {
        calls.filter { $0.method == method }.map { Array($0.arguments.dropLast()) }
    }

    func forget() { calls = [] }
}
