import Glibc
import Testing

@testable import Support

@Suite struct FileTimeTests {
    @Test(arguments: [Int64.min, .min + 1, -1_000_000_001, -1_000_000_000, -1, 0, 1, 999_999_999, 1_000_000_000, .max])
    func everyMomentIsTold(nanoseconds: Int64) {
        let time = FileTime(nanoseconds: nanoseconds).timespec
        #expect((0..<1_000_000_000).contains(time.tv_nsec))
        #expect(Int128(time.tv_sec) * 1_000_000_000 + Int128(time.tv_nsec) == Int128(nanoseconds))
    }
}
