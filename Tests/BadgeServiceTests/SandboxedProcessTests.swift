import DBus
import Glibc
import Testing

@testable import BadgeService

@Suite struct SandboxedProcessTests {
    /// A descriptor that can be read from, as that of a process can be which has ended, or not.
    private func descriptor(isReadable: Bool) -> (OwnedFileDescriptor, OwnedFileDescriptor) {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        if isReadable { #expect(write(ends[1], "x", 1) == 1) }
        return (OwnedFileDescriptor(owning: ends[0]), OwnedFileDescriptor(owning: ends[1]))
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

    @Test func aProcessThatNobodyKnowsOrThatIsNotThereIsNot() {
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: nil, process: nil)))
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: 0, process: nil)))
        #expect(!SandboxedProcess.isOutside(PeerCredentials(processID: .max, process: nil)))
    }
}
