import Setup
import Support
import SystemPackage
import TestSupport
import Testing

@testable import roundel

/// What a person reads stands in the catalogue of its program, where it can be translated.
@Suite struct CatalogueTests {
    /// The source files of a module outside its catalogue.
    private func sources(of module: String) throws -> [FilePath] {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try sources(below: FilePath("/\(root)/Sources/\(module)"))
    }

    private func sources(below folder: FilePath) throws -> [FilePath] {
        try ListedItem.list(folder).flatMap { item -> [FilePath] in
            let path = folder.appending(String(decoding: item.name, as: UTF8.self))
            guard item.kind == .directory else { return [path] }
            return ["Texts", "Words"].contains(path.lastComponent?.string) ? [] : try sources(below: path)
        }
    }

    private func lines(of file: FilePath) -> [Substring] {
        let text = FileSystemFacts.withContents(of: file) { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.split(separator: "\n").filter { !$0.drop(while: { $0 == " " }).hasPrefix("//") }
    }

    @Test(arguments: [
        ("roundel", 40), ("Client", 10), ("Setup", 20), ("BadgeService", 20), ("BadgeEngine", 20), ("SyncService", 20),
    ])
    func noSentenceStandsOutsideTheCatalogue(module: String, least: Int) throws {
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

    @Test(arguments: ["BadgeService", "BadgeEngine", "Desktop", "SyncService", "SyncEngine"])
    func noLineOfTheLogStandsOutsideTheCatalogue(module: String) throws {
        for file in try sources(of: module) {
            for line in lines(of: file) where line.contains("log(.") && !line.contains("log(.debug") {
                #expect(!line.contains(", \""), "\(file): \(line)")
            }
        }
    }
}
