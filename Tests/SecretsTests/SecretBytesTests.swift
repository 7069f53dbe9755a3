import Secrets
import TestSupport
import Testing

@Suite struct SecretBytesTests {
    @Test func noTextShowsASecret() throws {
        let login = StoredLogin(user: "me", password: try SecretBytes("hunter2"))
        var dumped = ""
        dump(login, to: &dumped)
        let texts = [
            "\(login)", String(reflecting: login), dumped, "\(login.password)", String(reflecting: login.password),
            "\(Mirror(reflecting: login.password).children.map(\.value))",
        ]
        for text in texts { #expect(!text.contains("hunter2") && !text.contains("104, 117"), "\(text)") }
        #expect(login.password.count == 7)
    }

    /// The address of a secret, which a test may know.
    private func address(of secret: SecretBytes) -> UInt { secret.withBytes { UInt(bitPattern: $0.baseAddress) } }

    @Test("The pages of a secret are left out of core dumps") func coreDumpsHaveNoSecrets() throws {
        let secret = try SecretBytes("hunter2")
        let flags = try Memory.flags(at: address(of: secret))
        #expect(flags.contains("dd"), "\(flags)")
        withExtendedLifetime(secret) {}
    }

    @Test func anInitialiserThatFailsGivesItsPagesBack() throws {
        struct Stopped: Error {}
        var start: UInt = 0
        #expect(throws: Stopped.self) {
            _ = try SecretBytes(capacity: 1 << 20) { room in
                start = UInt(bitPattern: room.baseAddress)
                throw Stopped()
            }
        }
        #expect(start != 0)
    }

    @Test func aSecretOfNoBytesIsOne() throws {
        let secret = try SecretBytes(copying: [])
        #expect(secret.count == 0)
        #expect(secret.bytes.isEmpty)
    }
}

/// The memory of this process, as the kernel describes it.
private enum Memory {
    /// The flags of the mapping that holds an address (proc(5), VmFlags).
    static func flags(at address: UInt) throws -> [Substring] {
        let text = try KernelFile.of("/proc/self/smaps")
        var isInside = false
        for line in text.split(separator: "\n") {
            let ends = line.prefix { $0 != " " }.split(separator: "-")
            if ends.count == 2, let start = UInt(ends[0], radix: 16), let end = UInt(ends[1], radix: 16) {
                isInside = (start..<end).contains(address)
            } else if isInside, line.hasPrefix("VmFlags:") {
                return line.dropFirst(8).split(separator: " ")
            }
        }
        throw Failure("nothing is mapped at \(address)")
    }
}
