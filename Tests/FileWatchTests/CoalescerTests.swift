import Glibc
import Support
import SystemPackage
import Testing

@testable import FileWatch

@Suite("Coalescing of changes")
struct CoalescerTests {
    @Test("the cases in Cases/coalescing.txt", arguments: CoalescingCase.all())
    func coalescing(_ scenario: CoalescingCase) throws {
        var coalescer = ChangeCoalescer()
        for step in scenario.steps { try perform(step, &coalescer) }
    }

    private func perform(_ step: [Substring], _ coalescer: inout ChangeCoalescer) throws {
        let now = Instant(nanoseconds: try #require(UInt64(step[0])) * 1_000_000)
        let arguments = step.dropFirst(2).map(String.init)
        switch step[1] {
        case "item": note(arguments[1], in: arguments[0], now, &coalescer)
        case "items":
            for number in 0..<(try #require(Int(arguments[1]))) { note("\(number)", in: arguments[0], now, &coalescer) }
        case "directory": coalescer.noteDirectory(FilePath(arguments[0]), at: now)
        case "directories":
            for number in 0..<(try #require(Int(arguments[0]))) {
                coalescer.noteDirectory(FilePath("\(number)"), at: now)
            }
        case "overflow": coalescer.noteOverflow(at: now)
        case "nothing": #expect((coalescer.deadline ?? .max) > now, "\(step)")
        case "batch": #expect(try released(&coalescer, now) == expected(arguments), "\(step)")
        case "count":
            let batch = try released(&coalescer, now)
            #expect([batch.items.count, batch.directories.count].map(String.init) == arguments, "\(step)")
        default: Issue.record("unknown step \(step)")
        }
    }

    private func note(_ name: String, in directory: String, _ now: Instant, _ coalescer: inout ChangeCoalescer) {
        let slot = coalescer.slot(for: FilePath(directory))
        Array(name.utf8).withUnsafeBufferPointer { coalescer.noteItem($0, in: slot, at: now) }
    }

    private func released(_ coalescer: inout ChangeCoalescer, _ now: Instant) throws -> TreeChanges {
        #expect(coalescer.deadline == now)
        let batch = coalescer.release(folder: FolderID(rawValue: 1))
        return try #require(batch)
    }

    private func expected(_ paths: [String]) -> TreeChanges {
        TreeChanges(
            folder: FolderID(rawValue: 1),
            directories: paths.filter { $0.hasPrefix("/") }.map { FilePath(String($0.dropFirst())) },
            items: paths.filter { !$0.hasPrefix("/") && $0 != "*" }.map { FilePath($0) }, overflow: paths == ["*"])
    }
}

struct CoalescingCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var steps: [[Substring]] = []

    static func all() -> [CoalescingCase] {
        let path = FilePath(#filePath).removingLastComponent().pushing("Cases/coalescing.txt")
        guard let file = fopen(path.string, "re") else { return [] }
        defer { fclose(file) }
        var text: [UInt8] = []
        var byte = getc(file)
        while byte != EOF {
            text.append(UInt8(truncatingIfNeeded: byte))
            byte = getc(file)
        }
        var cases: [CoalescingCase] = []
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("case ") {
                cases.append(CoalescingCase(testDescription: String(line.dropFirst(5))))
            } else if !cases.isEmpty {
                cases[cases.count - 1].steps.append(line.split(separator: " "))
            }
        }
        return cases
    }
}
