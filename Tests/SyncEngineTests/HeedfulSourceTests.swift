import SyncCore
import Testing

@testable import SyncEngine

/// Nobody is taken for silent while something goes on.
@Suite struct HeedfulSourceTests {
    /// A file that is one hole.
    private final class Hole: ContentSource {
        let size: Int64
        private var isPassed = false

        init(size: Int64) { self.size = size }

        var stored: Int64 { 0 }
        var modified: Int64 { 0 }
        var permissions: Permissions? { nil }
        func settle() {}
        func linked() -> LinkedFile? { nil }
        func passHole() -> Int64 {
            defer { isPassed = true }
            return isPassed ? 0 : size
        }
        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
        func finish() -> Version { .unknown }
    }

    @Test(arguments: [1, 3 << 20, 200 << 20]) func aLongHoleIsHandedOnInParts(size: Int64) async throws {
        var (longest, since, total): (Int64, Int64, Int64) = (0, 0, 0)
        let source = HeedfulSource(Hole(size: size), of: .local, for: .remote) { _ in since = 0 }
        let result = try await ContentTransfer.run(source) { length in
            since += Int64(length)
            total += Int64(length)
            longest = max(longest, since)
        } write: { _ in
        }
        #expect(result.size == size && total == size)
        #expect(longest <= 64 << 20, "an answer is noted after each part")
    }
}
