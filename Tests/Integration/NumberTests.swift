import DBus
import Glibc
import RoundelBus
import TestSupport
import Testing

/// Numbers from the bus may be the smallest or the largest of their type: no member of any object ends its process.
@Suite struct NumberTests {
    /// Calls every method of a connection with each extreme, and with every mixture of them for the first two numbers.
    private func callAll(
        of name: String, with values: ExtremeValues, last: Set<String>, in world: World, asking bus: Connection
    ) throws -> [ExportedMember] {
        let process = try #require(try world.process(of: name))
        let members = try ExportedMember.all(of: name, in: world, asking: bus)
        for member in members.filter({ !last.contains($0.name) }) + members.filter({ last.contains($0.name) }) {
            for turns in Self.turns(member) {
                let arguments = zip(member.input, turns).map { values.value($0, $1) }
                // Most are refused; what matters is who is there afterwards.
                _ = try? world.call(bus, name, member.path, member.interface, member.name, arguments)
            }
            let present = try world.process(of: name)
            try #require(present == process, "\(name) ended at \(member): \(world.installation.logs)")
        }
        return members
    }

    private static func turns(_ member: ExportedMember) -> [[Int]] {
        let numeric = member.input.indices.filter { index in
            member.input[index].type.rawValue.contains { "ynqiuxtdv".contains($0) }
        }
        guard !numeric.isEmpty else { return [member.input.map { _ in 0 }] }
        return (0..<ExtremeValues.count).flatMap { first in
            (numeric.count == 1 ? 0..<1 : 0..<ExtremeValues.count).map { second in
                member.input.indices.map { $0 == numeric[0] ? first : second }
            }
        }
    }

    @Test("Every member of roundeld survives every extreme of its numbers: tray, menus and sidebar included")
    func roundeld() throws {
        let world = try World()
        try world.installation.addProgram("xdg-open", "#!/bin/sh\nexit 0\n")
        let fileManager = try StandInFileManager(world)
        let folder = try world.makeFolder("Sync")
        let provider = try world.provider("test", [folder], watch: true)
        provider.menu = [["id": .string("act"), "label": .string("Act")]]
        let panel = try StandInPanel(world)
        try world.until("the tray's item is there") { panel.hasItem }
        let values = ExtremeValues(texts: ["uri": uri(folder), "eventId": "clicked", "name": "label"])
        let members = try callAll(
            of: Names.service, with: values, last: ["Unregister"], in: world, asking: provider.bus)
        for interface in [
            Names.host, Names.registry, Names.providers, "com.canonical.dbusmenu", "org.kde.StatusNotifierItem",
            "org.gtk.Menus", "org.gtk.Actions",
        ] { #expect(members.contains { $0.interface == interface }, "\(interface) is not exported") }
        withExtendedLifetime(fileManager) {}
    }

    @Test("Every member of the worker survives every extreme of its numbers")
    func worker() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let texts = ["uri": uri(sync.local), "folder": uri(sync.local)]
        let members = try callAll(
            of: Names.worker, with: ExtremeValues(texts: texts), last: ["RelocateFolder", "RemoveFolder"],
            in: sync.world, asking: try sync.world.connect())
        for interface in EngineInterface.allCases.map(\.name) + [Names.provider] {
            #expect(members.contains { $0.interface == interface }, "\(interface) is not exported")
        }
    }
}
