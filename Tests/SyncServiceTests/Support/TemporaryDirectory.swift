import Foundation
import SystemPackage

/// A directory of a test's own, removed with everything in it at the end; its path has no symbolic links.
final class TemporaryDirectory {
    let path: FilePath

    init() throws {
        let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        path = FilePath("\(base)/roundel-worker-test-\(UUID().uuidString)")
        try makeDirectory("")
    }

    deinit { try? FileManager.default.removeItem(atPath: path.string) }

    subscript(name: String) -> FilePath { name.isEmpty ? path : path.pushing(FilePath(name)) }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self[name].string, withIntermediateDirectories: true)
    }

    func makeLink(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: self[name].string, withDestinationPath: self[target].string)
    }

    func write(_ text: String, to name: String) throws {
        try FileManager.default.createDirectory(
            atPath: self[name].removingLastComponent().string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: self[name].string))
    }

    /// The contents of a file; nil if there is none.
    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: self[name].string).map { String(decoding: $0, as: UTF8.self) }
    }
}
