import Setup
import Support
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// What decides, for folders or for front ends, says what it found in codes: who shows that to people has the words.
@Suite struct WordlessTests {
    private func sources(of module: String) throws -> [FilePath] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try sources(below: FilePath("/\(root)/Sources/\(module)"))
    }

    private func sources(below folder: FilePath) throws -> [FilePath] {
        try ListedItem.list(folder).flatMap { item -> [FilePath] in
            let path = folder.appending(String(decoding: item.name, as: UTF8.self))
            return item.kind == .directory ? try sources(below: path) : [path]
        }
    }

    private func lines(of file: FilePath) -> [Substring] {
        let text = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
    }

    @Test(arguments: [("Client", 10), ("Setup", 20), ("SyncCore", 60), ("SyncEngine", 90)])
    func nothingInItIsTranslated(module: String, least: Int) throws {
        let files = try sources(of: module)
        #expect(files.count > least)
        for file in files {
            for line in lines(of: file) {
                let call = line.split { !$0.isLetter && $0 != "(" }.first { $0 == "tr(" || $0.hasSuffix("(tr(") }
                #expect(call == nil, "\(file): \(line)")
            }
        }
    }

    @Test(arguments: [("Client", 10), ("Setup", 20)])
    func noSentenceStandsInIt(module: String, least: Int) throws {
        let files = try sources(of: module)
        #expect(files.count > least)
        for file in files {
            for line in lines(of: file) {
                // Every second part stands between quotation marks; a sentence has words and a full stop.
                for (index, literal) in line.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                where index % 2 == 1 && literal.count(where: { $0 == " " }) > 1 {
                    #expect(!literal.hasSuffix(".") && !literal.contains(". "), "\(file): \(literal)")
                }
            }
        }
    }
}
