import DBus
import RoundelBus
import TestSupport

/// Plays a sync engine over plain D-Bus, so that it can also answer late, wrongly, not at all, or die.
final class FakeProvider {
    /// A call that the service made.
    struct Call: Equatable {
        let member: String
        let arguments: [DBusValue]

        /// The directory, item or folder that it is about.
        var subject: String { arguments.first?.string ?? "" }
        /// The second argument, where it is a list.
        var names: [String] { arguments.dropFirst().first?.strings ?? [] }
    }

    let world: World
    let bus: Connection
    let id: String
    let object: ObjectPath = "/test/provider"
    /// What it knows: of a directory's URI the rows by name.
    var items: [String: [String: Row]] = [:]
    /// The menu that it answers.
    var menu: [VariantMap] = []
    /// The attributes that it answers.
    var attributes: VariantMap = [:]
    /// What it does instead of answering as usual, by method.
    var handlers: [String: (MethodCall, [DBusValue]) throws -> Void] = [:]
    private(set) var calls: [Call] = []
    /// The calls that wait for an answer, of the methods that are held.
    private(set) var held: [MethodCall] = []

    init(_ world: World, _ id: String) throws {
        self.world = world
        self.id = id
        bus = try world.connect()
        _ = try bus.export(makeInterface(), at: object)
    }

    /// Knows these items of a directory.
    func know(_ directory: String, _ badges: [String: String]) {
        for (name, badge) in badges { items[directory, default: [:]][name] = Row(name: name, badge: badge) }
    }

    // MARK: What it was asked

    /// The calls of one method.
    func calls(_ member: String) -> [Call] { calls.filter { $0.member == member } }

    /// Waits until a method was called so often.
    func await(_ member: String, _ count: Int = 1) throws {
        try world.until("\(member) is called \(count) times; was called: \(calls.map(\.member))") {
            calls(member).count >= count
        }
    }

    func clear() { calls = [] }

    /// Keeps the calls of a method without an answer.
    func hold(_ member: String) {
        handlers[member] = { [unowned self] call, _ in keep(call) }
    }

    /// Keeps one call without an answer.
    func keep(_ call: MethodCall) { held.append(call) }

    // MARK: The Registry

    @discardableResult
    func call(_ member: String, _ arguments: [DBusValue], options: VariantMap = [:]) throws -> [DBusValue] {
        try world.call(
            bus, Names.service, Names.servicePath, Names.registry, member, arguments + [.map(options)])
    }

    /// The short name of the error that a call is refused with.
    func refusal(_ member: String, _ arguments: [DBusValue], options: VariantMap = [:]) throws -> String? {
        do {
            try call(member, arguments, options: options)
            return nil
        } catch let error as DBusError {
            return shortName(error)
        }
    }

    func register(options: VariantMap = [:]) throws {
        try call("Register", [.objectPath(object)], options: ["id": .string(id)].merging(options) { $1 })
    }

    /// The bus name in the manifest of ``announce()``.
    var busName: String { "org.example.\(id)" }

    /// Installs a manifest for its id, which the person turns on, and owns the bus name in it: its folders stay known when
    /// it is gone.
    func announce() throws {
        try world.installation.addManifest(id, name: id, busName: busName, object: object.rawValue)
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(busName), .uint32(4)])
        guard world.service?.isRunning == true else { return }
        _ = try world.call(
            bus, Names.service, Names.servicePath, Names.providers, "Enable", [.string(id), .map([:])])
    }

    /// Registers as the provider of a manifest, whose bus name it owns.
    func own(_ busName: String) throws {
        _ = try world.call(
            bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
            [.string(busName), .uint32(4)])
        try world.until("the service knows the owner of the id") {
            do {
                try register()
                return true
            } catch { return false }
        }
    }

    static func offers(_ uris: [String], watch: Bool) -> DBusValue {
        .array(
            element: "(sa{sv})",
            uris.map { .structure([.string($0), .map(watch ? ["watch": .bool(true)] : [:])]) })
    }

    /// Registers these paths.
    func setFolders(_ paths: [String], watch: Bool = false) throws {
        try call("SetFolders", [Self.offers(paths.map(uri), watch: watch)])
    }

    @discardableResult
    func update(_ directory: String, _ rows: [Row]) throws -> Bool {
        try call("UpdateBadges", [.string(directory)] + Row.columns(rows)).first?.bool ?? false
    }

    /// Changes one badge, here and at the service.
    @discardableResult
    func update(_ directory: String, _ name: String, _ badge: String) throws -> Bool {
        know(directory, [name: badge])
        return try update(directory, [Row(name: name, badge: badge)])
    }

    // MARK: Provider1

    private func makeInterface() -> Interface {
        let extra: [Interface.Argument] = [("extra", "a{sv}")]
        func method(
            _ name: String, _ input: [Interface.Argument], _ output: [Interface.Argument],
            _ answer: @escaping (FakeProvider, MethodCall, [DBusValue]) -> Void
        ) -> Interface.Method {
            Interface.Method(name, in: input + [("options", "a{sv}")], out: output + extra) { [unowned self] call in
                let arguments = try call.message.arguments()
                calls.append(Call(member: name, arguments: arguments))
                if let handler = handlers[name] { try handler(call, arguments) } else { answer(self, call, arguments) }
            }
        }
        let values: [Interface.Argument] = [("badges", "as"), ("flags", "au"), ("progress", "ay")]
        let place: [Interface.Argument] = [("target_uri", "s"), ("selected_uris", "as")]
        return Interface(
            Names.provider,
            methods: [
                method("BeginObserving", [("directory_uri", "s")], []) { _, call, _ in call.answer([]) },
                method("EndObserving", [("directory_uri", "s")], []) { _, call, _ in call.answer([]) },
                method("RequestBadges", [("directory_uri", "s"), ("names", "as")], values) {
                    provider, call, arguments in
                    call.answer(Row.values(provider.rows(arguments)))
                },
                method(
                    "RequestDirectory", [("directory_uri", "s"), ("after", "s"), ("limit", "u")],
                    [("names", "as")] + values + [("next", "s")]
                ) { provider, call, arguments in
                    let rows = provider.page(arguments)
                    call.answer(Row.columns(rows) + [.string("")])
                },
                method("GetMenu", [("kind", "u")] + place, [("items", "aa{sv}")]) { provider, call, _ in
                    call.answer([.maps(provider.menu)])
                },
                method("Activate", [("item_id", "s")] + place, []) { _, call, _ in call.answer([]) },
                method("GetAttributes", [("uri", "s"), ("keys", "as")], [("attributes", "a{sv}")]) {
                    provider, call, _ in
                    call.answer([.map(provider.attributes)])
                },
                method(
                    "ItemsChanged",
                    [("folder_uri", "s"), ("directory_uris", "as"), ("item_uris", "as"), ("overflow", "b")], []
                ) { _, call, _ in call.answer([]) },
            ])
    }

    /// The rows that answer RequestBadges.
    func rows(_ arguments: [DBusValue]) -> [Row] {
        let known = items[arguments[0].string ?? ""] ?? [:]
        return (arguments[1].strings ?? []).map { known[$0] ?? Row(name: $0, badge: "") }
    }

    private func page(_ arguments: [DBusValue]) -> [Row] {
        let after = Array((arguments[1].string ?? "").utf8)
        return (items[arguments[0].string ?? ""] ?? [:]).values
            .filter { after.lexicographicallyPrecedes(Array($0.name.utf8)) }
            .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
    }
}

extension MethodCall {
    /// Answers with these values and no extras.
    func answer(_ values: [DBusValue]) {
        reply { writer in
            for value in values { try writer.append(value: value) }
            try writer.append(map: [:])
        }
    }
}
