internal import DBus
internal import Support

/// What the user manager says of the worker's unit.
struct UnitState {
    private static let name = "org.freedesktop.systemd1"
    private static let unit = "roundel-worker.service"

    private let facts: VariantMap

    /// Asks the user manager on the session bus, and waits for its answer; nil if there is none.
    static func ofWorker() -> UnitState? {
        guard let loop = try? EventLoop(), let bus = try? Connection.openSessionBus(on: loop) else { return nil }
        defer { bus.close() }
        guard
            let path = ask(bus, loop, "/org/freedesktop/systemd1", "\(name).Manager", "LoadUnit", unit)?.first,
            case .objectPath(let path) = path,
            let facts = ask(bus, loop, path, properties, "GetAll", "\(name).Unit")?.first?.map
        else { return nil }
        let service = ask(bus, loop, path, properties, "GetAll", "\(name).Service")?.first?.map ?? [:]
        return UnitState(facts: facts.merging(service) { $1 })
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    private static func ask(
        _ bus: Connection, _ loop: EventLoop, _ path: ObjectPath, _ interface: String, _ member: String, _ word: String
    ) -> [DBusValue]? {
        var result: Result<Message, DBusError>?
        let pending = bus.call(
            name, path, interface, member, timeout: Patience.CommandLine.unit, { try $0.append(word) }, { result = $0 })
        while result == nil { loop.runOnce(timeout: nil) }
        withExtendedLifetime(pending) {}
        return try? result?.get().arguments()
    }

    /// What keeps the unit from running; nil if nothing does.
    var obstacle: WorkerObstacle? {
        if facts.string("LoadState") == "masked" { return .masked }
        guard facts.string("ActiveState") == "failed" else { return nil }
        if facts.string("Result") == "start-limit-hit" { return .keepsFailing }
        // CLD_EXITED; other codes are those of signals.
        return .failed(status: facts.int32("ExecMainCode") == 1 ? facts.int32("ExecMainStatus") : nil)
    }
}
