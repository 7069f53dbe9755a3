import DBus
import Glibc
import TestSupport
import Testing

@testable import Secrets

/// A secret on its way from one process to another.
@Suite struct SecretPipeTests {
    private func pipe() throws -> (source: OwnedFileDescriptor, target: OwnedFileDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Failure("pipe: \(errno)") }
        return (OwnedFileDescriptor(owning: ends[0]), OwnedFileDescriptor(owning: ends[1]))
    }

    private func read(_ source: OwnedFileDescriptor, within patience: Duration = .seconds(60)) throws -> [UInt8] {
        try SecretPipe.read(source, longest: 4_096, within: patience).withBytes { Array($0) }
    }

    @Test("What is written is read, to the last byte", arguments: [0, 1, 4_096])
    func whole(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        #expect(try read(try SecretPipe.filled(with: SecretBytes(copying: bytes))) == bytes)
        #expect(throws: SecretStoreError.unusable) {
            try SecretPipe.filled(with: SecretBytes(copying: [UInt8](repeating: 1, count: 4_097)))
        }
    }

    @Test("A secret may come in pieces")
    func pieces() async throws {
        var ends = Optional(try pipe())
        let source = try #require(ends).source
        async let got = Task.detached { [self] in try read(source) }.value
        for piece in ["hun", "ter", "2"] {
            #expect(write(ends?.target.number ?? -1, piece, piece.utf8.count) == piece.utf8.count)
            try await eventually("the piece is read") {
                var unread: Int32 = 1
                return ioctl(source.number, UInt(FIONREAD), &unread) == 0 && unread == 0
            }
        }
        ends = nil
        #expect(try await got == Array("hunter2".utf8))
    }

    @Test("A writer that never comes to an end is not waited for", arguments: ["", "hunter2"])
    func unfinished(text: String) throws {
        let (source, target) = try pipe()
        #expect(write(target.number, text, text.utf8.count) == text.utf8.count)
        #expect(throws: SecretPipe.Failure.unfinished) { try read(source, within: .milliseconds(50)) }
        withExtendedLifetime(target) {}
    }

    @Test("Of what is too long, no more is read than shows that")
    func tooLong() throws {
        let (source, target) = try pipe()
        let bytes = [UInt8](repeating: 1, count: 10_000)
        #expect(write(target.number, bytes, bytes.count) == bytes.count)
        #expect(try read(source).count == 4_097)
        withExtendedLifetime(target) {}
    }

    @Test("What is not a pipe is not read", arguments: ["/dev/null", "/dev/zero", "/proc/self/status"])
    func others(path: String) throws {
        let file = OwnedFileDescriptor(owning: open(path, O_RDONLY | O_CLOEXEC))
        #expect(throws: SecretPipe.Failure.notAPipe) { try read(file) }
    }
}
