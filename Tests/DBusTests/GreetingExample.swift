import DBus

/// Exports an object that greets, and calls it from another connection.
func greeting(for name: String, on bus: BusAddress) async throws -> String? {
    let service = try await AsyncConnection.open(bus)
    try await service.perform { connection in
        let greet = Interface.Method("Greet", in: [("name", "s")], out: [("greeting", "s")]) { call in
            var arguments = call.reader
            let name = try arguments.readString()
            call.reply { try $0.append("Hello, \(name)!") }
        }
        _ = try connection.export(Interface("org.example.Greeter", methods: [greet]), at: "/greeter")
    }
    guard try await service.requestName("org.example.Greeter").isOwner else { return nil }

    let caller = try await AsyncConnection.open(bus)
    let reply = try await caller.call(
        "org.example.Greeter", "/greeter", "org.example.Greeter", "Greet", [.string(name)])
    await caller.close()
    await service.close()
    return reply.first?.string
}
