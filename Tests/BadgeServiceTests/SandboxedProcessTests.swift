import DBus
import Glibc
import Support
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RoundelBus

@Suite struct SandboxedProcessTests {
    /// A descriptor that can be read from, as that of a process can be which has ended, or not.
    private func descriptor(isReadable: Bool) -> (OwnedFileDescriptor, OwnedFileDescriptor) {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        if isReadable { #expect(write(ends[1], "x", 1) == 1) }
        return (OwnedFileDescriptor(owning: ends[0]), OwnedFileDescriptor(owning: ends[1]))
    }

    private final class Answer: Sendable {
        let isOutside = Mutex<Bool?>(nil)
    }

    @Test func aProcessThatSeesTheSameRootIsOutsideWhileItLives() {
        let own = UInt32(getpid())
        #expect(SandboxedProcess.isOutside(PeerCredentials(processID: own, process: nil)))
        for isReadable in [false, true] {
            let (process, other) = descriptor(isReadable: isReadable)
            let credentials = PeerCredentials(processID: own, process: process)
            #expect(SandboxedProcess.isOutside(credentials) == !isReadable)
            withExtendedLifetime(other) {}
        }
    }

    /// Who may mount makes any program the server of his root, and it need not answer.
    @Test(.enabled(if: SilentMount.isPermitted, "mounting needs root and /dev/fuse"))
    func aProcessWhoseRootDoesNotAnswerIsInASandboxAndHoldsUpNobody() async throws {
        let scratch = try TemporaryDirectory()
        let root = scratch.path.appending("root").string
        #expect(mkdir(root, 0o700) == 0)
        let mount = try SilentMount(at: root)
        defer { withExtendedLifetime(mount) {} }
        // Nothing can be started in that root, so the shell itself has to remain.
        let script = "mount --make-rslave / && pivot_root \"$0\" \"$0\" && echo ready && kill -STOP $$"
        let process = try RunningProgram(
            ["unshare", "-m", "--propagation", "slave", "sh", "-c", script, root],
            environment: RunningProgram.inheritedEnvironment)
        defer { process.kill() }
        #expect(try process.line() == "ready")
        let credentials = PeerCredentials(processID: UInt32(process.identifier), process: nil)
        // If it asks the file system, its thread waits until that is gone.
        let answer = Answer()
        try DetachedThread.start("check") {
            let isOutside = SandboxedProcess.isOutside(credentials)
            answer.isOutside.withLock { $0 = isOutside }
        }
        try await eventually("the check ends") { answer.isOutside.withLock { $0 } != nil }
        #expect(answer.isOutside.withLock { $0 } == false)
    }

    @Test func aProcessThatNobodyKnowsOrThatIsNotThereIsNot() {
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: nil, process: nil)))
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: 0, process: nil)))
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: .max, process: nil)))
    }
}
