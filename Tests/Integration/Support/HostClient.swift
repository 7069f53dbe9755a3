import DBus
import RoundelBus

/// One item of an answer or signal.
struct Row: Hashable, CustomStringConvertible {
    var name: String
    var badge: String
    var flags: UInt32 = 0
    var progress: UInt8 = 255

    var description: String { "\(name)=\(badge)" + (flags == 0 && progress == 255 ? "" : "(\(flags),\(progress))") }

    /// The rows of four columns.
    static func rows(_ columns: some Sequence<DBusValue>) -> [Row] {
        let columns = Array(columns.prefix(4))
        guard columns.count == 4, let names = columns[0].strings, let badges = columns[1].strings,
            let flags = columns[2].uint32s, let progress = columns[3].bytes,
            [badges.count, flags.count, progress.count].allSatisfy({ $0 == names.count })
        else { return [Row(name: "?", badge: "unequal columns")] }
        return names.indices.map {
            Row(name: names[$0], badge: badges[$0], flags: flags[$0], progress: progress[$0])
        }
    }

    /// The four columns of rows.
    static func columns(_ rows: [Row]) -> [DBusValue] { [.strings(rows.map(\.name))] + values(rows) }

    /// The columns without the names.
    static func values(_ rows: [Row]) -> [DBusValue] {
        [.strings(rows.map(\.badge)), .uint32s(rows.map(\.flags)), .bytes(rows.map(\.progress))]
    }
}

/// Plays a file manager: calls the Host interface and notes everything that arrives, in its order.
final class HostClient {
    /// What arrived.
    enum Notice: Hashable {
        case reply(Int)
        case badges(String, [Row])
        case finished(UInt64, String, UInt32, String)
        case clipboard(String)
        case reset
        case properties([String])
    }

    /// A call that was sent.
    final class Sent {
        let number: Int
        fileprivate(set) var result: Result<[DBusValue], DBusError>?
        init(_ number: Int) { self.number = number }
    }

    let world: World
    let bus: Connection
    private(set) var inbox: [Notice] = []
    /// The menus that were completed, as they were told last.
    private(set) var menus: [UInt64: TakenMenu] = [:]
    private var sent = 0

    init(_ world: World) throws {
        self.world = world
        bus = try world.connect()
        _ = try bus.subscribe(MatchRule(interface: Names.host)) { [weak self] message in self?.note(message) }
        _ = try bus.subscribe(
            MatchRule(sender: Names.service, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
        ) { [weak self] message in
            guard let self, let arguments = try? message.arguments(), arguments.first?.string == Names.host else {
                return
            }
            inbox.append(.properties((arguments[1].map ?? [:]).keys.sorted()))
        }
        // The subscriptions are in force once the bus has answered what was sent after them.
        _ = try world.call(bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId", [])
    }

    private func note(_ message: Message) {
        guard let arguments = try? message.arguments() else { return }
        switch message.member {
        case "BadgesChanged": inbox.append(.badges(arguments[0].string ?? "?", Row.rows(arguments.dropFirst())))
        case "ActionFinished":
            inbox.append(
                .finished(
                    arguments[0].uint64 ?? 0, arguments[1].string ?? "?", arguments[2].uint32 ?? 99,
                    arguments[3].string ?? "?"))
            if let text = arguments[4].map?.string("clipboard") { inbox.append(.clipboard(text)) }
        case "MenuChanged":
            let menu = TakenMenu(arguments)
            menus[menu.id] = menu
        case "Reset": inbox.append(.reset)
        default: break
        }
    }

    // MARK: What arrived

    /// All rows that signals told of a directory, in their order.
    func told(_ directory: String) -> [Row] {
        inbox.flatMap { notice -> [Row] in
            if case .badges(directory, let rows) = notice { rows } else { [] }
        }
    }

    /// The badge that a signal told last of an item.
    func badge(_ directory: String, _ name: String) -> String? { told(directory).last { $0.name == name }?.badge }

    /// Waits until the last signal of an item told this badge.
    func await(_ directory: String, _ name: String, _ badge: String) throws {
        try world.until("\(name) is told as “\(badge)”; told: \(told(directory))") {
            self.badge(directory, name) == badge
        }
    }

    /// Waits until this has arrived.
    func await(_ notice: Notice) throws {
        try world.until("\(notice) arrives; arrived: \(inbox)") { inbox.contains(notice) }
    }

    /// Forgets what has arrived.
    func clear() { inbox = [] }

    // MARK: Calls

    /// Sends a call; the options are added.
    func send(
        _ member: String, _ arguments: [DBusValue], options: VariantMap = [:], interface: String = Names.host
    ) -> Sent {
        sent += 1
        let call = Sent(sent)
        bus.call(
            Names.service, Names.servicePath, interface, member, timeout: World.patience,
            { for argument in arguments + [.map(options)] { try $0.append(value: argument) } },
            { [weak self] result in
                call.result = result.flatMap { message in Result { () throws(DBusError) in try message.arguments() } }
                self?.inbox.append(.reply(call.number))
            })
        return call
    }

    /// Waits for the answer of a call.
    func answer(_ call: Sent) throws -> [DBusValue] {
        try world.until("an answer arrives") { call.result != nil }
        return try call.result?.get() ?? []
    }

    func call(
        _ member: String, _ arguments: [DBusValue], options: VariantMap = [:], interface: String = Names.host
    ) throws -> [DBusValue] {
        try answer(send(member, arguments, options: options, interface: interface))
    }

    /// The name of the error that a call is refused with, shortened by Roundel's prefix; nil if it is not refused.
    func refusal(_ member: String, _ arguments: [DBusValue], interface: String = Names.host) throws -> String? {
        do {
            _ = try call(member, arguments, interface: interface)
            return nil
        } catch let error as DBusError {
            return shortName(error)
        }
    }

    @discardableResult
    func begin(_ directory: String) throws -> Bool {
        let isMonitored = try call("BeginObserving", [.string(directory)]).first?.bool ?? false
        if isMonitored { awaitWatch() }
        return isMonitored
    }

    /// Waits until the service watches what it was asked to observe. What it knows of a directory by then it looks for
    /// on the disk, where the items that a test's provider speaks of need not be: those it takes for deleted.
    private func awaitWatch() {
        // Where another place leads its watcher finds out after that. It says so before it says that it watches what it
        // was asked for in the same moment, so the second answer counts.
        let elsewhere: [DBusValue] = [.string(uri(world.installation.root + "/nowhere")), .map([:])]
        for _ in 0..<2 {
            _ = try? world.call(bus, Names.service, Names.servicePath, Names.host, "BeginObserving", elsewhere)
        }
    }

    func end(_ directory: String) throws { _ = try call("EndObserving", [.string(directory)]) }

    /// Asks until an answer comes in time, at most for a minute.
    ///
    /// The service answers for a provider that is late, which on a busy machine any provider may be. Where one is meant to
    /// be late, or wrong, asking again changes nothing.
    private func inTime<Answer>(_ ask: () throws -> Answer, orIf isWhole: (Answer) -> Bool = { _ in false }) throws
        -> Answer
    {
        let begun = Moment.now
        let patience = world.installation.letsTimeRunOut ? .milliseconds(50) : Limits.patience
        while true {
            let start = Moment.now
            let answer = try ask()
            let now = Moment.now
            let isInTime = isWhole(answer) || start.duration(to: now) < patience
            if isInTime || begun.duration(to: now) > .seconds(60) { return answer }
        }
    }

    /// The badges of some names, as rows; asked for again while a provider may just have been late.
    func badges(_ directory: String, _ names: [String]) throws -> [Row] {
        try inTime {
            try badgesAskedOnce(directory, names)
        } orIf: { rows in
            rows.allSatisfy { !$0.badge.isEmpty }
        }
    }

    /// The badges of some names, as rows; none for those whose provider was late.
    func badgesAskedOnce(_ directory: String, _ names: [String]) throws -> [Row] {
        Row.rows([.strings(names)] + (try call("RequestBadges", [.string(directory), .strings(names)])))
    }

    /// A directory's items and the name to go on after; asked for again while a provider may just have been late.
    func directory(_ directory: String, after: String = "", limit: UInt32 = 0) throws -> (rows: [Row], next: String) {
        try inTime { try directoryAskedOnce(directory, after: after, limit: limit) }
    }

    /// A directory's items and the name to go on after, without those that its provider was late for.
    func directoryAskedOnce(
        _ directory: String, after: String = "", limit: UInt32 = 0
    ) throws -> (rows: [Row], next: String) {
        let reply = try call("RequestDirectory", [.string(directory), .string(after), .uint32(limit)])
        return (Row.rows(reply), reply[4].string ?? "?")
    }

    /// A menu with the items of every provider, also of those that were late.
    func menu(
        _ kind: UInt32, _ target: String, _ selection: [String] = []
    ) throws -> (id: UInt64, items: [VariantMap]) {
        let first = try menuAtOnce(kind, target, selection)
        var menu = first
        try world.until("the menu is complete; without \(menu.incomplete)") {
            menu = menus[first.id] ?? first
            return menu.incomplete.isEmpty
        }
        return (menu.id, menu.items)
    }

    /// A menu as the service answers at once.
    func menuAtOnce(_ kind: UInt32, _ target: String, _ selection: [String] = []) throws -> TakenMenu {
        TakenMenu(try call("GetMenu", [.uint32(kind), .string(target), .strings(selection)]))
    }

    /// The attributes of an item; asked for again while its provider was late.
    func attributes(_ item: String, _ keys: [String] = []) throws -> VariantMap {
        var found: VariantMap?
        try world.until("the attributes of \(item) come in time") {
            do {
                found = try call("GetAttributes", [.string(item), .strings(keys)])[0].map ?? [:]
            } catch let error as DBusError where shortName(error) == "ProviderTimeout" {
                found = nil
            }
            return found != nil
        }
        return found ?? [:]
    }

    func property(_ name: String) throws -> DBusValue? {
        let reply = try world.call(
            bus, Names.service, Names.servicePath, "org.freedesktop.DBus.Properties", "Get",
            [.string(Names.host), .string(name)])
        guard case .variant(let value)? = reply.first else { return nil }
        return value
    }

    /// The registered folders.
    /// The icon of a badge, if it is known.
    func icon(of badge: String) throws -> String? {
        guard case .dictionary(_, _, let images)? = try property("Badges"),
            case .structure(let image)? = images.first(where: { $0.key.string == badge })?.value
        else { return nil }
        return image.last?.string
    }

    func folders() throws -> [String] { try property("Folders")?.strings ?? [] }

    /// Waits until the folders are these.
    func awaitFolders(_ wanted: [String]) throws {
        try world.until("the folders are \(wanted)") { try folders().sorted() == wanted.sorted() }
    }
}

/// The name of an error without Roundel's prefix.
func shortName(_ error: DBusError) -> String {
    error.name.hasPrefix(Names.errorPrefix) ? String(error.name.dropFirst(Names.errorPrefix.count)) : error.name
}

/// A menu that a host was given.
struct TakenMenu {
    let id: UInt64
    let items: [VariantMap]
    /// The names of the providers that have not answered yet.
    let incomplete: [String]

    /// - Parameter values: Those of the reply of GetMenu or of the signal MenuChanged.
    init(_ values: [DBusValue]) {
        id = values[0].uint64 ?? 0
        items = values[1].maps ?? []
        incomplete = values[2].map?.strings("incomplete") ?? []
    }
}
