import RoundelBus
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
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("<") }
        // After the priority the line names the program, here whatever runs the tests.
        #expect(lines.map { $0.prefix(3) } == ["<4>", "<3>"])
        #expect(lines.first?.hasSuffix(": a?<3>forged??[31m??ä") == true)
        #expect(lines.last?.hasSuffix(": b") == true)
    }
}
