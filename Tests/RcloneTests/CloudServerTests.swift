import Glibc
import RemoteSupport
import Remotes
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import Rclone

/// What only a server does that is not rclone's own.
@Suite(.serialized, .enabled(if: CloudKind.areInstalled, "needs rclone"))
struct CloudServerTests {
    @Test(
        "another server than the one that is known gets nothing, and one that lets nobody in is told from it",
        .enabled(if: CloudKind.ssh.program != nil, "needs OpenSSH's server, which packaging/servers.sh brings"))
    func refused() async throws {
        let cloud = try await TestCloud(.ssh)
        for (remote, reason) in [("stranger", RcloneFailure.Reason.untrusted), ("nobody", .loginNeeded)] {
            let client = RcloneClient(try RcloneLocation("rclone:\(remote):place"), cloud.service)
            do throws(RcloneFailure) {
                try await RcloneCheck.run(client)
                Issue.record("\(remote) is let in")
            } catch {
                #expect(error.reason == reason, "\(remote): \(error)")
            }
        }
    }

    @Test(
        "a server that was away is spoken to again, and nothing counts as deleted meanwhile",
        .enabled(if: CloudKind.ssh.program != nil, "needs OpenSSH's server, which packaging/servers.sh brings"))
    func away() async throws {
        let cloud = try await TestCloud(.ssh)
        let server = try #require(cloud.server)
        let folder = try cloud.folder()
        try folder.local.write("first", to: "d/a")
        try await folder.syncAll()
        server.end()
        try folder.local.write("second", to: "d/b")
        folder.begin()
        try await folder.waitForStatus {
            $0.phase == .offline && $0.message.foreignCode == RcloneCode.unreachable.foreign
        }
        #expect(try contents(of: folder.local.path) == ["d/": "", "d/a": "first", "d/b": "second"])
        try server.start()
        folder.begin()
        let all = ["d/": "", "d/a": "first", "d/b": "second"]
        try await eventually("what waited is there") { try await cloud.tree() == all }
        #expect(try await folder.syncAll() == RunSummary())
        try await folder.stop()
    }

    @Test(
        "a file that goes in parts is one file, and is told from another of its size",
        .enabled(if: CloudKind.s3.program != nil, "needs moto, which packaging/servers.sh brings"))
    func parts() async throws {
        let cloud = try await TestCloud(.s3, remote: "parts")
        let folder = try cloud.folder()
        let (first, second) = (text("first", megabytes: 12), text("other", megabytes: 12))
        try folder.local.write(first, to: "large")
        try await folder.syncAll()
        #expect(try await cloud.tree() == ["large": first])
        #expect(try await folder.syncAll() == RunSummary())
        try await cloud.put("large", second, modified: 0)
        try await folder.syncAll()
        #expect(try contents(of: folder.local.path) == ["large": second])
        #expect(rename(folder.local["large"].string, folder.local["renamed"].string) == 0)
        try await folder.syncAll()
        #expect(try await cloud.tree() == ["renamed": second])
        #expect(try await folder.syncAll() == RunSummary())
        #expect(folder.errors.isEmpty)
        try await folder.stop()
    }

    private func text(_ word: String, megabytes: Int) -> String {
        String(repeating: word + " of many words, ", count: (megabytes << 20) / 21)
    }
}
