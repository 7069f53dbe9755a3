import Glibc
import Support
import Testing

@Suite("The log")
struct LogTests {
    @Test("A line of the log is one line with one priority, whatever the text holds")
    func logLines() async throws {
        let result = try await #require(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            log(.warning, "a\n<3>forged\r\u{1B}[31m\u{7F}\u{0}ä")
            log(.error, "b")
        }
        let lines = Self.lines(result.standardErrorContent)
        // After the priority the line names the program, here whatever runs the tests.
        #expect(lines.map { $0.prefix(3) } == ["<4>", "<3>"])
        #expect(lines.first?.hasSuffix(": a?<3>forged??[31m??ä") == true)
        #expect(lines.last?.hasSuffix(": b") == true)
    }

    @Test("What only helps to find a fault is logged on demand")
    func debugging() async throws {
        let quiet = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            unsetenv("ROUNDEL_LOG")
            log(.debug, uncalled())
            log(.info, "a")
        }
        #expect(Self.lines(quiet.standardErrorContent).map { $0.prefix(3) } == ["<6>"])
        let loud = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            setenv("ROUNDEL_LOG", "debug", 1)
            log(.debug, "a")
        }
        #expect(Self.lines(loud.standardErrorContent).map { $0.prefix(3) } == ["<7>"])
    }

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("<") }
    }
}

private func uncalled() -> String { fatalError("the text is composed though nobody reads it") }
