import Glibc
import RoundelBus
import TestSupport
import Testing

/// Clients that know nothing of this project: PyGObject, gdbus, busctl, against services that the bus starts.
@Suite struct PlainClientTests {
    private static let script = """
        import sys, gi
        from gi.repository import Gio, GLib
        folder, uri = sys.argv[1], 'file://' + sys.argv[1]
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        loop = GLib.MainLoop()
        seen = []
        def on_signal(_bus, _sender, _path, _interface, name, arguments):
            seen.append((name, arguments.unpack()))
        bus.signal_subscribe(None, 'org.roundel.Roundel1.Host', None, '/org/roundel/Roundel1', None, 0, on_signal)
        def call(method, signature, *arguments, interface='org.roundel.Roundel1.Host'):
            return bus.call_sync('org.roundel.Roundel1', '/org/roundel/Roundel1', interface, method,
                GLib.Variant('(' + signature + 'a{sv})', arguments + ({},)), None, 0, 240000, None).unpack()
        def until(condition):
            deadline = GLib.get_monotonic_time() + 240_000_000
            while not condition():
                assert GLib.get_monotonic_time() < deadline, seen
                GLib.timeout_add(20, lambda: False)
                loop.get_context().iteration(True)
        def prop(name):
            return bus.call_sync('org.roundel.Roundel1', '/org/roundel/Roundel1', 'org.freedesktop.DBus.Properties',
                'Get', GLib.Variant('(ss)', ('org.roundel.Roundel1.Host', name)), None, 0, 240000, None).unpack()[0]
        assert prop('Version') == 1
        until(lambda: uri in prop('Folders'))
        assert call('BeginObserving', 's', uri)[0] is True
        until(lambda: call('RequestBadges', 'sas', uri, ['a'])[0] == ['synced'])
        names, badges, flags, progress, following, extra = call('RequestDirectory', 'ssu', uri, '', 0)
        assert names == ['a'] and badges == ['synced'] and following == '' and extra == {}
        def edited():
            # What is synced again within a moment need not be told.
            with open(folder + '/a', 'a') as file: file.write('more')
            return any(n == 'BadgesChanged' and v[1] == ['a'] and v[2] != ['synced'] for n, v in seen)
        until(edited)
        until(lambda: any(n == 'BadgesChanged' and v[1] == ['a'] and v[2] == ['synced'] for n, v in seen))
        menus = []
        def offers_sync():
            # A provider that answers late is left out.
            menu, items, extra = call('GetMenu', 'usas', 0, uri, [uri + '/a'])
            menus.append(menu)
            return 'roundel/sync-now' in [i['id'] for i in items]
        until(offers_sync)
        menu = menus[-1]
        call('Activate', 'ts', menu, 'roundel/sync-now')
        until(lambda: any(n == 'ActionFinished' and v[:3] == (menu, 'roundel/sync-now', 0) for n, v in seen))
        def is_synced():
            try:
                return call('GetAttributes', 'sas', uri + '/a', [])[0]['state'] == 'synced'
            except GLib.Error as error:
                assert 'org.roundel.Error.ProviderTimeout' in error.message, error.message
        until(is_synced)
        try:
            call('GetItemService', 'ss', uri + '/a', 'org.example.None')
            raise SystemExit('there is such a service')
        except GLib.Error as error:
            assert 'org.roundel.Error.NoSuchService' in error.message, error.message
        rows = call('List', '', interface='org.roundel.Roundel1.Providers')[0]
        assert [row['id'] for row in rows] == ['roundel'], rows
        call('EndObserving', 's', uri)
        call('Disable', 's', 'roundel', interface='org.roundel.Roundel1.Providers')
        until(lambda: uri not in prop('Folders'))
        call('Enable', 's', 'roundel', interface='org.roundel.Roundel1.Providers')
        until(lambda: uri in prop('Folders'))
        print('all methods used')
        """

    @Test("F14: a plain Python client uses every method of the Host against services that the bus starts")
    func python() throws {
        let installation = try Installation(activates: true)
        let home = installation.root + "/home"
        try Disk.makeDirectories(home + "/Sync")
        try Disk.makeDirectories(home + "/Remote")
        try Disk.write(home + "/Sync/a", "a")
        #expect(try installation.run("roundel", ["add", home + "/Sync", home + "/Remote", "--wait"]).status == 0)
        let outcome = try installation.run(
            bytes: "/usr/bin/python3", ["-c", Self.script, home + "/Sync"].map { Array($0.utf8) })
        #expect(outcome.output == "all methods used\n", "\(outcome)")
    }

    @Test("gdbus introspects and busctl walks the objects of both services")
    func introspection() throws {
        let installation = try Installation(activates: true)
        let objects = [
            (Names.service, "/org/roundel/Roundel1", [Names.host, Names.registry, Names.providers]),
            (
                Names.worker, "/org/roundel/SyncWorker1", EngineInterface.allCases.map(\.name) + [Names.provider]
            ),
        ]
        for (name, path, interfaces) in objects {
            let seen = try installation.run(
                bytes: "/usr/bin/gdbus",
                ["introspect", "--session", "--dest", name, "--object-path", path].map { Array($0.utf8) })
            #expect(seen.status == 0)
            for interface in interfaces { #expect(seen.output.contains("interface \(interface) {"), "\(interface)") }
            let tree = try installation.run(
                bytes: "/usr/bin/busctl", ["--user", "tree", "--list", name].map { Array($0.utf8) })
            #expect(tree.status == 0)
            #expect(tree.output.split(separator: "\n").map(String.init).contains(path), "\(tree)")
        }
    }
}
