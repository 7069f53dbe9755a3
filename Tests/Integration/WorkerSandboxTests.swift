import DBus
import RoundelBus
import TestSupport
import Testing

/// What a program in a sandbox may ask the worker: nothing.
@Suite struct WorkerSandboxTests {
    @Test(
        "No method of the worker is carried out for a program in a sandbox, and each is for one outside",
        .enabled(if: Mount.isPossible, "another root directory needs root"))
    func refused() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let secret = try sync.world.makeFolder("Secret")
        let bus = try sync.world.connect()
        let members = try ExportedMember.own(of: Names.worker, in: sync.world, asking: bus)
        for interface in EngineInterface.allCases.map(\.name) + [Names.provider] {
            #expect(members.contains { $0.interface == interface }, "\(interface) is not exported")
        }
        let texts = [
            "uri": uri(sync.local), "folder": uri(sync.local), "remote": secret, "new_uri": uri(secret),
            "folder_uri": uri(sync.local),
        ]
        let answers = try sync.world.installation.callInSandbox(members, of: Names.worker, texts: texts)
        for (member, answer) in zip(members, answers) {
            // Of this error busctl prints the name alone.
            let isRefused = ["A program in a sandbox", "Access denied"].contains { answer.contains($0) }
            #expect(isRefused, "\(member): \(answer)")
        }
        #expect(try sync.roundel("list").output.contains("Sync"))
        #expect(try sync.sync().status == 0)
        let status = try sync.world.call(
            bus, Names.worker, Names.workerPath, EngineInterface.folders.name, "Status", [.string(""), .map([:])])
        #expect(status.first?.elements?.count == 1)
    }

    @Test("Calls of one program take effect in their order")
    func order() throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let bus = try sync.world.connect()
        var answers: [String] = []
        for round in 0..<10 {
            for member in ["Pause", "Status", "Resume"] {
                bus.call(
                    Names.worker, Names.workerPath, EngineInterface.folders.name, member,
                    { writer in
                        try writer.append(uri(sync.local))
                        try writer.append(map: [:])
                    },
                    { result in
                        if case .success = result { answers.append("\(round) \(member)") }
                    })
            }
        }
        try sync.world.until("all are answered") { answers.count == 30 }
        #expect(answers == (0..<10).flatMap { round in ["Pause", "Status", "Resume"].map { "\(round) \($0)" } })
    }
}
