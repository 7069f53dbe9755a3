import Glibc
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import Rclone

@Suite(
    "The one limit that rclone has for all that it does", .serialized,
    .enabled(if: CloudKind.areInstalled, "needs rclone"))
struct BandwidthTests {
    /// What rclone says of itself.
    private struct Rate: Decodable, Sendable {
        var up: Int64
        var down: Int64

        enum CodingKeys: String, CodingKey {
            case up = "bytesPerSecondTx"
            case down = "bytesPerSecondRx"
        }
    }

    @Test("Each way it is the smallest of those of the transfers that run")
    func smallest() {
        var bandwidth = RcloneBandwidth()
        #expect(bandwidth.limits == .none)
        let free = bandwidth.begin(.up, limit: nil)
        let slow = bandwidth.begin(.up, limit: 50_000)
        let slower = bandwidth.begin(.up, limit: 40_000)
        _ = bandwidth.begin(.down, limit: 1_000_000)
        #expect(bandwidth.limits == BandwidthLimits(up: 40_000, down: 1_000_000))
        bandwidth.end(slower)
        bandwidth.end(slower)
        bandwidth.change(slower, to: 1)
        #expect(bandwidth.limits == BandwidthLimits(up: 50_000, down: 1_000_000))
        bandwidth.change(slow, to: nil)
        bandwidth.end(free)
        #expect(bandwidth.limits == BandwidthLimits(down: 1_000_000))
    }

    @Test("It is written as rclone reads it")
    func written() {
        #expect(RcloneBandwidth.rate(.none) == "off")
        #expect(RcloneBandwidth.rate(BandwidthLimits(up: 50_000)) == "50000B:off")
        #expect(RcloneBandwidth.rate(BandwidthLimits(down: 20_000)) == "off:20000B")
        #expect(RcloneBandwidth.rate(BandwidthLimits(up: 1_000_000_000_000, down: 1)) == "1000000000000B:1B")
    }

    private func rate(_ cloud: TestCloud) async throws -> Rate {
        try await cloud.service.call("core/bwlimit", [:], within: .seconds(240))
    }

    private func wait(_ cloud: TestCloud, until condition: (Rate) -> Bool) async throws {
        try await eventually("rclone has the limit") { condition(try await rate(cloud)) }
    }

    /// A transfer by a plan that would take hours is under way while `body` is played.
    private func play(
        _ cloud: TestCloud, _ body: (TransferPace, Task<Void, any Error>) async throws -> Void
    ) async throws {
        var plan = BandwidthPlan()
        (plan.up, plan.down) = (20_000, 30_000)
        let pace = TransferPace(plan)
        let place = RcloneClient(cloud.client.location, cloud.service, pace: pace)
        let (file, path) = (try cloud.service.spool.make(for: 0, of: .root), try cloud.path("large"))
        for _ in 0..<32 { try file.append(String(repeating: "x", count: 1 << 20)) }
        let transfer = Task { try await place.upload(file, to: path) }
        try await wait(cloud) { $0.up == 20_000 }
        try await body(pace, transfer)
        transfer.cancel()
        _ = await transfer.result
    }

    @Test("rclone has it while the transfer runs, another one as soon as the plan changes, and none afterwards")
    func told() async throws {
        let cloud = try await TestCloud(.sftp)
        #expect(try await rate(cloud).up == -1)
        try await play(cloud) { pace, transfer in
            #expect(try await rate(cloud).down == -1)
            var plan = BandwidthPlan()
            plan.up = 50_000
            pace.set(plan)
            try await wait(cloud) { $0.up == 50_000 }
            pace.set(BandwidthPlan())
            try await wait(cloud) { $0.up == -1 }
            try await transfer.value
        }
        try await wait(cloud) { $0.up == -1 && $0.down == -1 }
        #expect(try await cloud.client.entry(try cloud.path("large"))?.version.size == 32 << 20)
    }

    @Test("a transfer that is cancelled takes its limit along")
    func cancelled() async throws {
        let cloud = try await TestCloud(.sftp)
        try await play(cloud) { _, transfer in
            transfer.cancel()
            await #expect(throws: RcloneFailure(.cancelled)) { try await transfer.value }
            try await wait(cloud) { $0.up == -1 }
        }
    }

    @Test("rclone that was started again is told again")
    func restarted() async throws {
        let cloud = try await TestCloud(.directory)
        let number = await cloud.service.beginTransfer(.up, limit: 20_000)
        #expect(try await rate(cloud).up == 20_000)
        let child = try #require(await cloud.service.child)
        #expect(kill(child, SIGKILL) == 0)
        // Asked twice where the first question finds that it is gone.
        _ = try await cloud.service.remotes()
        #expect(try await rate(cloud).up == -1)
        await cloud.service.changeTransfer(number, to: 20_000)
        try await wait(cloud) { $0.up == 20_000 }
        await cloud.service.endTransfer(number)
        try await wait(cloud) { $0.up == -1 }
    }
}
