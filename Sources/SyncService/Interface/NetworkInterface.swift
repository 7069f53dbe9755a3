internal import DBus
internal import RoundelBus

/// How folders use the network: `org.roundel.Roundel1.Engine.Network`.
enum NetworkInterface {
    static func make(for service: Worker) -> Interface {
        WorkerInterfaces.interface(.network, methods(service))
    }

    private static func methods(_ service: Worker) -> [Interface.Method] {
        [
            .ofWorker("NetworkUse", [("folder", "s")], [("folders", "aa{sv}")]) { [unowned service] call, reader in
                let name = try reader.readString()
                let units = try service.folders.units(named: name)
                if !name.isEmpty, let unit = units.first(where: { !$0.usesNetwork }) {
                    throw WorkerError.noNetwork(unit.settings.label)
                }
                call.reply { writer in
                    try writer.append(value: .maps(units.compactMap(\.network?.report).map(\.map)))
                    try writer.appendNoExtras()
                }
            },
            .ofWorker("SetNetworkUse", [("folder", "s"), ("use", "a{sv}")]) { [unowned service] call, reader in
                let unit = try service.folders.unit(named: try reader.readString())
                try service.book.setNetworkUse(try NetworkUse(try reader.readOptions()), of: unit)
                call.reply { try $0.appendNoExtras() }
            },
        ]
    }
}
