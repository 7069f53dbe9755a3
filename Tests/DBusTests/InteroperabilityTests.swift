import DBus
import TestSupport
import Testing

/// Other implementations of D-Bus against this one: GDBus (gdbus, Gio from Python) and sd-bus (busctl).
@Suite struct InteroperabilityTests {
    private let harness: Harness
    private let service: Connection

    init() throws {
        harness = try Harness()
        service = try harness.connect()
        let arguments: [Interface.Argument] = [
            ("number", "u"), ("names", "as"), ("options", "a{sv}"), ("pairs", "a(sd)"), ("raw", "ay"),
        ]
        _ = try service.export(
            Interface(
                "org.example.Interop1",
                methods: [
                    .init("Echo", in: arguments, out: arguments) { call in
                        let values = try call.message.arguments()
                        call.reply { writer in for value in values { try writer.append(value: value) } }
                    },
                    .init("Join", in: [("names", "as")], out: [("joined", "s")]) { call in
                        var reader = call.reader
                        let names = try reader.readStringArray()
                        call.reply { try $0.append(names.joined(separator: "|")) }
                    },
                    .init("Refuse") { _ in
                        throw DBusError(name: "org.example.Error.No", message: "Not <today> & “never”.")
                    },
                ],
                properties: [
                    .init("Version", "u", .const) { try $0.append(UInt32(1)) },
                    .init("Folders", "as") { try $0.append(strings: ["file:///a", "file:///b%20c"]) },
                ],
                signals: [.init("Changed", [("names", "as"), ("more", "a{sv}")])]),
            at: "/org/example/Interop1")
        var isOwner = false
        service.requestName("org.example.Interop1") { _ in isOwner = true }
        #expect(harness.run { isOwner })
    }

    @Test func gdbusCallsAndUnderstandsTheIntrospection() throws {
        let call = ["gdbus", "call", "--session", "--dest", "org.example.Interop1", "--object-path"]
        let joined = try harness.output(
            of: call + ["/org/example/Interop1", "--method", "org.example.Interop1.Join", "['a', 'ü b', '']"])
        #expect(joined == "('a|ü b|',)\n")
        let echo = try harness.output(
            of: call + [
                "/org/example/Interop1", "--method", "org.example.Interop1.Echo", "7", "['x']",
                "{'k': <uint32 1>, 'm': <{'n': <true>}>}", "[('p', 0.5)]", "[byte 0x01, 0x02]",
            ])
        #expect(echo == "(uint32 7, ['x'], {'k': <uint32 1>, 'm': <{'n': <true>}>}, [('p', 0.5)], [byte 0x01, 0x02])\n")
        let introspect = ["gdbus", "introspect", "--session", "--dest", "org.example.Interop1", "--object-path"]
        let text = try harness.output(of: introspect + ["/org/example/Interop1"])
        for line in [
            "interface org.example.Interop1 {", "Join(in  as names,", "out s joined);", "in  a(sd) pairs,",
            "Changed(as names,", "readonly u Version = 1;", "readonly as Folders = ['file:///a', 'file:///b%20c'];",
            "interface org.freedesktop.DBus.Properties {", "interface org.freedesktop.DBus.Introspectable {",
            "interface org.freedesktop.DBus.Peer {", "@org.freedesktop.DBus.Property.EmitsChangedSignal(\"const\")",
        ] { #expect(text.contains(line), "\(line) in \(text)") }
        let tree = try harness.output(of: introspect + ["/", "--recurse"])
        #expect(tree.contains("node /org/example/Interop1 {"))
    }

    @Test func busctlCallsAndUnderstandsTheIntrospection() throws {
        let busctl = ["busctl", "--address=" + harness.bus.text, "--no-pager"]
        let echo = try harness.output(
            of: busctl + [
                "call", "org.example.Interop1", "/org/example/Interop1", "org.example.Interop1", "Echo",
                "uasa{sv}a(sd)ay", "7", "2", "x", "ü", "1", "k", "s", "v", "1", "p", "0.5", "2", "1", "2",
            ])
        #expect(echo == "uasa{sv}a(sd)ay 7 2 \"x\" \"\\303\\274\" 1 \"k\" s \"v\" 1 \"p\" 0.5 2 1 2\n")
        let properties = try harness.output(
            of: busctl + [
                "get-property", "org.example.Interop1", "/org/example/Interop1", "org.example.Interop1", "Version",
                "Folders",
            ])
        #expect(properties == "u 1\nas 2 \"file:///a\" \"file:///b%20c\"\n")
        let members = try harness.output(
            of: busctl + ["introspect", "org.example.Interop1", "/org/example/Interop1", "org.example.Interop1"])
        for member in [".Echo", ".Join", ".Refuse", ".Version", ".Folders", ".Changed"] {
            #expect(members.contains(member), "\(member) in \(members)")
        }
        let tree = try harness.output(of: busctl + ["tree", "--list", "org.example.Interop1"])
        #expect(tree.contains("/org/example/Interop1\n"))
    }

    @Test func aPythonClientReadsErrorsPropertiesAndSignals() throws {
        let script = """
            import sys
            from gi.repository import Gio, GLib
            bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            name, path = "org.example.Interop1", "/org/example/Interop1"
            try:
                bus.call_sync(name, path, name, "Refuse", None, None, 0, -1)
            except GLib.Error as error:
                print(error.message)
            try:
                bus.call_sync(name, path, name, "Join", GLib.Variant("(s)", ("x",)), None, 0, -1)
            except GLib.Error as error:
                print(Gio.DBusError.get_remote_error(error))
            everything = bus.call_sync(name, path, "org.freedesktop.DBus.Properties", "GetAll",
                GLib.Variant("(s)", (name,)), None, 0, -1)
            print(sorted(everything.unpack()[0].items()))
            node = Gio.DBusNodeInfo.new_for_xml(bus.call_sync(name, path, "org.freedesktop.DBus.Introspectable",
                "Introspect", None, None, 0, -1).unpack()[0])
            interface = node.lookup_interface(name)
            print([(m.name, [(a.name, a.signature) for a in m.in_args]) for m in interface.methods][1])
            values = (1, [str(i) for i in range(10000)], {"k": GLib.Variant("ax", [1, -1])}, [("d", -1.5)], bytes(range(256)))
            reply = bus.call_sync(name, path, name, "Echo", GLib.Variant("(uasa{sv}a(sd)ay)", values), None, 0, -1)
            print(reply.unpack()[1] == values[1], reply.unpack()[2:4], bytes(reply.unpack()[4]) == values[4])
            loop = GLib.MainLoop()
            def changed(bus, sender, path, interface, signal, arguments):
                print(signal, arguments.print_(True))
                loop.quit()
            bus.signal_subscribe(None, name, "Changed", path, None, 0, changed)
            bus.call_sync(name, path, name, "Join", GLib.Variant("(as)", (["ready"],)), None, 0, -1)
            bus.call_sync(name, path + "/signal", "org.example.Emit", "Emit", None, None, 0, -1)
            GLib.timeout_add_seconds(240, loop.quit)
            loop.run()
            """
        let service = service
        _ = try service.export(
            Interface(
                "org.example.Emit",
                methods: [
                    .init("Emit") { call in
                        try service.emit("/org/example/Interop1", "org.example.Interop1", "Changed", to: call.sender) {
                            try $0.append(strings: ["a", "b"])
                            try $0.append(map: ["n": .uint32(3)])
                        }
                        call.reply()
                    }
                ]), at: "/org/example/Interop1/signal")
        let printed = try harness.output(of: ["/usr/bin/python3", "-c", script])
        #expect(
            printed == """
                GDBus.Error:org.example.Error.No: Not <today> & “never”.
                org.freedesktop.DBus.Error.InvalidArgs
                [('Folders', ['file:///a', 'file:///b%20c']), ('Version', 1)]
                ('Join', [('names', 'as')])
                True ({'k': [1, -1]}, [('d', -1.5)]) True
                Changed (['a', 'b'], {'n': <uint32 3>})

                """)
    }

    @Test func messagesOfTheOtherByteOrderAreRead() throws {
        let script = """
            import sys
            from gi.repository import Gio, GLib
            bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            name, path = "org.example.Interop1", "/org/example/Interop1"
            orders = Gio.DBusMessageByteOrder
            message = Gio.DBusMessage.new_method_call(name, path, name, "Join")
            message.set_byte_order(orders.BIG_ENDIAN if sys.byteorder == "little" else orders.LITTLE_ENDIAN)
            message.set_body(GLib.Variant("(as)", (["one", "", "five5", "ü"] * 100,)))
            reply = bus.send_message_with_reply_sync(message, Gio.DBusSendMessageFlags.NONE, 240000)[0]
            print(reply.get_body().unpack()[0])
            """
        let printed = try harness.output(of: ["/usr/bin/python3", "-c", script])
        #expect(printed == Array(repeating: "one||five5|ü", count: 100).joined(separator: "|") + "\n")
    }

    @Test func aPythonServiceIsCalledAndItsSignalsAreRead() throws {
        let script = """
            from gi.repository import Gio, GLib
            bus = Gio.bus_get_sync(Gio.BusType.SESSION)
            loop = GLib.MainLoop()
            xml = '<node><interface name="org.example.Python"><method name="Swap"><arg type="(sa{sv})" direction="in"/>' \\
                '<arg type="ax" direction="out"/><arg type="v" direction="out"/></method><method name="Quit"/></interface></node>'
            def called(bus, sender, path, interface, method, arguments, invocation):
                if method == "Quit":
                    invocation.return_dbus_error("org.example.Error.Quitting", "bye")
                    bus.flush_sync(None)
                    loop.quit()
                    return
                text, options = arguments.unpack()[0]
                bus.emit_signal(sender, path, interface, "Swapped", GLib.Variant("(so)", (text, path)))
                invocation.return_value(GLib.Variant("(axv)", ([len(text), -1], GLib.Variant("a{sv}",
                    {key: GLib.Variant("s", str(value)) for key, value in options.items()}))))
            bus.register_object("/python", Gio.DBusNodeInfo.new_for_xml(xml).interfaces[0], called, None, None)
            Gio.bus_own_name_on_connection(bus, "org.example.Python", 0, None, None)
            GLib.timeout_add_seconds(240, loop.quit)
            loop.run()
            """
        let client = service
        var signals: [[DBusValue]] = []
        _ = try client.subscribe(MatchRule(sender: "org.example.Python", member: "Swapped")) { message in
            if let arguments = try? message.arguments() { signals.append(arguments) }
        }
        var quit: DBusError?
        var reply: [DBusValue]?
        var wasSeen = false
        _ = try client.watchName("org.example.Python") { owner in
            guard owner != nil, !wasSeen else { return }
            wasSeen = true
            client.call(
                "org.example.Python", "/python", "org.example.Python", "Swap",
                { writer in
                    try writer.appendStruct { structure in
                        try structure.append("four")
                        try structure.append(map: ["a": .int32(-5), "b": .string("c")])
                    }
                }
            ) { result in
                reply = try? result.get().arguments()
                client.call("org.example.Python", "/python", "org.example.Python", "Quit") { result in
                    if case .failure(let error) = result { quit = error }
                }
            }
        }
        _ = try harness.output(of: ["/usr/bin/python3", "-c", script])
        #expect(harness.run { quit != nil })
        #expect(
            reply == [
                .array(element: "x", [.int64(4), .int64(-1)]),
                .variant(.map(["a": .string("-5"), "b": .string("c")])),
            ])
        #expect(quit == DBusError(name: "org.example.Error.Quitting", message: "bye"))
        #expect(signals == [[.string("four"), .objectPath("/python")]])
    }

    @Test func aServiceThatEndsAtItsStartIsAnError() throws {
        try harness.bus.addService("org.example.Fails", command: "/bin/false")
        var failure: DBusError?
        service.startService("org.example.Fails") { result in
            if case .failure(let error) = result { failure = error }
        }
        #expect(harness.run { failure != nil })
        #expect(failure?.standard == .spawnChildExited)
    }
}
