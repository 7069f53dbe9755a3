import DBus
import RoundelBus
import Testing

/// A provider that is switched off and on again while it runs.
@Suite struct SwitchedProviderTests {
    @Test("E2: what changes while a folder that was switched on again is not yet watched reaches its provider")
    func missedChanges() throws {
        let world = try World()
        let folder = try world.makeFolder("Sync")
        // So many that watching them takes longer than the provider's first look.
        for number in 0..<4000 { try Disk.makeDirectory("\(folder)/d\(number)") }
        let provider = try world.provider("test", [folder], watch: true)
        let host = try world.host()
        func settings(_ member: String) throws {
            _ = try host.call(member, [.string("test")], interface: Names.providers)
        }
        try provider.call("Flush", [.string(uri(folder))])
        try settings("Disable")
        try Disk.write(folder + "/d1/while-off", "x")
        provider.clear()
        var known: Set<String> = []
        var isFirst = true
        // The provider as an engine would do it: all is looked at again, then what it is told of.
        provider.handlers["ItemsChanged"] = { call, arguments in
            if arguments[3].bool == true { known = Set(try Disk.tree(folder).keys) }
            for item in arguments[2].strings ?? [] { known.insert(String(item.dropFirst(uri(folder).count + 1))) }
            if isFirst {
                for number in 3990..<4000 { try Disk.write("\(folder)/d\(number)/just-after", "x") }
                isFirst = false
            }
            call.answer([])
        }
        try settings("Enable")
        try provider.await("ItemsChanged")
        try provider.call("Flush", [.string(uri(folder))])
        #expect(known.contains("d1/while-off"))
        #expect(known.count { $0.hasSuffix("/just-after") } == 10)
    }
}
