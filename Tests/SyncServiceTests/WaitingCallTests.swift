import DBus
import RoundelBus
import Support
import SystemPackage
import TestSupport
import Testing

@testable import SyncService

@Suite("Every call that waits for a folder ends, and says which, when the folder is removed or moved meanwhile")
struct WaitingCallTests {
    private static let waiting: [(method: String, options: VariantMap)] = [
        ("Sync", ["wait": .bool(true)]), ("Sync", ["dry-run": .bool(true)]), ("Verify", [:]),
    ]

    private func bench() throws -> (WorkerBench, DBusValue) {
        let bench = try WorkerBench()
        try bench.files.makeDirectory("Cloud")
        for number in 0..<200 { try bench.files.write("\(number)", to: "Cloud/\(number)") }
        return (bench, .string(try bench.addFolder()))
    }

    @Test("The folder is removed", arguments: 0..<6)
    func removed(number: Int) throws {
        let (method, options) = Self.waiting[number % 3]
        let (bench, id) = try bench()
        let place = number < 3 ? bench.uri("Cloud") : .string("")
        let outcomes = try bench.outcomesAtOnce([(method, [place], options), ("RemoveFolder", [id], [:])])
        let end = outcomes[0] ?? "nothing"
        // All folders are none then, which is no failure of a comparison.
        if number == 5 {
            #expect(["UnknownFolder", ""].contains(end), "\(end)")
        } else {
            #expect(end == "UnknownFolder", "\(end)")
        }
        #expect(outcomes[1] == "")
        #expect(try bench.listed().isEmpty)
        // Whatever it was still about to tell comes due, and nobody is there to tell it.
        var isOver = false
        let over = bench.harness.loop.makeTimer { isOver = true }
        over.set(after: Patience.Worker.status)
        #expect(bench.harness.run(until: { isOver }))
        try bench.stop()
    }

    @Test("The folder is moved", arguments: 0..<3)
    func moved(number: Int) throws {
        let (method, options) = Self.waiting[number]
        let (bench, id) = try bench()
        try bench.call("Sync", id, options: ["wait": .bool(true)])
        try bench.files.rename("Cloud", to: "Moved")
        let outcomes = try bench.outcomesAtOnce([
            (method, [id], options), ("RelocateFolder", [id, bench.uri("Moved")], [:]),
        ])
        #expect(outcomes[1] == "")
        #expect(outcomes[0] != nil)
        #expect(try bench.listed() == ["file://" + bench.files["Moved"].string])
        #expect(bench.refusal("Sync", id, options: ["wait": .bool(true)]) == nil)
        try bench.stop()
    }

    @Test("The others are synced, compared and rehearsed when one of them is removed", arguments: 0..<3)
    func others(number: Int) throws {
        let (method, options) = Self.waiting[number]
        let (bench, id) = try bench()
        for name in ["Second", "SecondRemote"] { try bench.files.makeDirectory(name) }
        try bench.files.write("x", to: "Second/x")
        try bench.call("AddFolder", bench.uri("Second"), bench.path("SecondRemote"))
        let outcomes = try bench.outcomesAtOnce([(method, [.string("")], options), ("RemoveFolder", [id], [:])])
        #expect(outcomes == ["", ""])
        try bench.stop()
    }

    @Test("The worker is stopped", arguments: 0..<3)
    func stopped(number: Int) throws {
        let (method, options) = Self.waiting[number]
        let (bench, id) = try bench()
        var outcome: String?
        bench.send(method, [method == "Verify" ? bench.uri("Cloud") : id], options) { outcome = $0 }
        try bench.settle()
        try bench.stop()
        #expect(bench.harness.run(until: { outcome != nil }))
        #expect(["Failed", ""].contains(outcome), "\(outcome ?? "")")
    }

    @Test("F1: who adds a folder and asks for its first sync late gets all that it did")
    func lateSync() throws {
        let bench = try WorkerBench()
        for name in ["Cloud", "Remote"] { try bench.files.makeDirectory(name) }
        for number in 0..<5 { try bench.files.write("\(number)", to: "Cloud/\(number)") }
        let id =
            try bench.call(
                "AddFolder", bench.uri("Cloud"), bench.path("Remote"), options: ["start": .bool(false)]
            ).first ?? .string("")
        // It starts by itself.
        #expect(bench.harness.run(until: { bench.files.exists("Remote/4") && bench.files.exists("Remote/0") }))
        let first = try bench.call("Sync", id, options: ["wait": .bool(true)]).first?.map
        #expect(first?.uint64("uploaded") == 5)
        let second = try bench.call("Sync", id, options: ["wait": .bool(true)]).first?.map
        #expect(second?.uint64("uploaded") == 0)
        try bench.stop()
    }
}
