import DBus
import RoundelBus
import TestSupport
import Testing

@testable import Desktop

@Suite("F9: actions of a sidebar's menu, over a bus") struct GtkActionsTests {
    @Test("A click with more platform data than a program needs is refused and does nothing; others are passed on")
    func platformData() throws {
        let harness = try Harness()
        let owner = try harness.connect()
        let panel = try harness.connect()
        var activated: [(name: String, platform: VariantMap)] = []
        let interface = GtkActions.interface(
            withMenu: { call, _ in call.fail(.failed("There is no menu.")) },
            activate: { activated.append(($0, $1)) })
        let exported = try owner.export(interface, at: "/menu")
        defer { exported.cancel() }
        func activate(_ platform: VariantMap) throws {
            _ = try harness.call(panel, owner.uniqueName, "/menu", GtkActions.name, "Activate") { writer in
                try writer.append("act")
                try writer.append(value: .array(element: "v", []))
                try writer.append(map: platform)
            }
        }
        let many = [DBusValue](repeating: .bool(true), count: Limits.optionValues)
        let long = String(repeating: "x", count: Limits.optionText)
        for platform: VariantMap in [["a": .array(element: "b", many)], ["activation-token": .string(long)]] {
            let refusal = #expect(throws: DBusError.self) { try activate(platform) }
            #expect(refusal?.name == "org.roundel.Error.LimitExceeded")
        }
        #expect(activated.isEmpty)
        try activate(["activation-token": .string("token")])
        #expect(activated.map(\.name) == ["act"])
        #expect(activated.first?.platform.string("activation-token") == "token")
    }
}
