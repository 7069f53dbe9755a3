import Glibc
import RoundelBus
import TestSupport
import Testing

/// The host of the documentation beside a real service and a provider that is a program of its own.
@Suite struct SampleHostTests {
    private let world: World
    private let folder: String
    private let provider: RunningProgram

    init() throws {
        world = try World()
        folder = try world.makeFolder("Sample")
        try Disk.write(folder + "/file", "x")
        provider = try world.installation.start("sample-provider", [folder])
        try world.host().awaitFolders([uri(folder)])
    }

    @Test("It shows badges and follows them, also over a restart of the service, and chooses from a menu")
    func followsAndChooses() throws {
        defer { provider.kill() }
        let file = folder + "/file"
        let shown = try world.installation.start("sample-host", ["/elsewhere", file])
        defer { shown.kill() }
        #expect(try shown.line() == "/elsewhere: nothing to show")
        // Before it there may be a line without a badge, where the provider was late.
        try shown.lines { $0 == "\(file): Synced" }
        #expect(try choose("Star") == "Done.\n")
        #expect(try shown.line() == "\(file): Starred")
        #expect(try choose("Nothing") == "No such item; there are: Star, More\n")

        try world.restartService()
        #expect(try shown.line() == "\(file): nothing to show")
        try shown.lines { $0 == "\(file): Starred" }
    }

    @Test("What is no absolute path is refused with a sentence")
    func refuses() throws {
        defer { provider.kill() }
        let refused = try world.installation.run("sample-host", ["file"])
        #expect(refused.status == 1)
        #expect(refused.output == "Not the path of an item: it is not an absolute file:// URI.\n")
    }

    /// What the sample host says to a choice; asked again while the provider may just have been late for the menu.
    private func choose(_ label: String) throws -> String {
        for _ in 0..<20 {
            let end = try world.installation.run("sample-host", ["--choose", label, folder + "/file"])
            if end.output != "No such item; there are: \n" { return end.output }
        }
        throw Failure("the provider never gave a menu in time: \(world.installation.logs)")
    }
}
