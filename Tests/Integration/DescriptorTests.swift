import DBus
import Glibc
import RoundelBus
import Testing

/// Whoever calls may send file descriptors along: none of them stays open in the service.
@Suite struct DescriptorTests {
    /// How many descriptors of a file a process has. Others than those that are sent come and go by themselves.
    private func openDescriptors(of process: pid_t, _ file: String) throws -> Int {
        let folder = "/proc/\(process)/fd"
        return try Disk.names(folder).count { (try? Disk.target("\(folder)/\($0)")) == file }
    }

    @Test("2,000 calls with descriptors in their options leave none open", arguments: [Names.service, Names.worker])
    func options(service: String) throws {
        let sync = try SyncWorld(files: ["a": "a"])
        let world = sync.world
        let bus = try world.connect()
        let sent = world.installation.root + "/sent"
        try Disk.write(sent, "")
        let file = OwnedFileDescriptor(owning: open(sent, O_RDONLY | O_CLOEXEC))
        let options: VariantMap = [
            "file": .fileDescriptor(file), "files": .array(element: "h", [.fileDescriptor(file)]),
            "nested": .map(["file": .structure([.string("x"), .fileDescriptor(file)])]),
        ]
        let process = try #require(try world.process(of: service))
        func callOften(_ times: Int) throws {
            for _ in 0..<times {
                // What is refused has been read as well.
                _ =
                    service == Names.service
                    ? try? world.call(
                        bus, service, Names.servicePath, Names.host, "Activate",
                        [.uint64(0), .string("none/none"), .map(options)])
                    : try world.call(
                        bus, service, Names.workerPath, EngineInterface.folders.name, "Status",
                        [.string(uri(sync.local)), .map(options)])
            }
        }
        try callOften(2000)
        // Answers go out before the message is let go of.
        try world.until("none of the descriptors is open") { try openDescriptors(of: process, sent) == 0 }
        #expect(try world.process(of: service) == process)
    }
}
