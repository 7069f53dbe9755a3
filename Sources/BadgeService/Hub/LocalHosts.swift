internal import RoundelBus

/// The hosts inside the service's process.
final class LocalHosts {
    private let make: (_ caller: String) -> LocalHost
    /// By their names, which no connection of the bus can have.
    private var hosts: [String: LocalHost] = [:]

    /// - Parameter make: Creates the host that the engine knows by this name.
    init(make: @escaping (_ caller: String) -> LocalHost) {
        self.make = make
    }

    /// The host with this name, created when it is first requested.
    func host(named name: String) -> LocalHost {
        // Well-known names contain no colon, and unique names begin with one.
        let caller = "local:" + name
        if let host = hosts[caller] { return host }
        let host = make(caller)
        hosts[caller] = host
        return host
    }

    /// Reports to all hosts that these properties have changed.
    func changed(_ properties: ChangedProperties) {
        for host in hosts.values { host.onChange?(properties) }
    }

    /// Passes on a menu that has been completed, if the client is a host inside the process; otherwise returns false.
    func menuChanged(_ menu: HostedMenu, for client: String) -> Bool {
        guard let host = hosts[client] else { return false }
        host.menuChanged(menu)
        return true
    }

    /// Reports that an action has finished, if the client is a host inside the process; otherwise returns false.
    func finished(_ action: FinishedAction, for client: String) -> Bool {
        guard let host = hosts[client] else { return false }
        host.onActionFinished?(action)
        return true
    }

    /// Tells all hosts what is to be said of an action.
    func report(_ report: ActionReport) {
        for host in hosts.values { host.onReport?(report) }
    }
}
