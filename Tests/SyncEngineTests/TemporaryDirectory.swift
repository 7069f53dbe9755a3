import Foundation
import SyncCore
import SystemPackage

@testable import SyncEngine

/// A directory that is removed, with everything in it, when the test is done with it.
final class TemporaryDirectory: Sendable {
    let path: FilePath

    /// - Parameter parent: The file system to be on; the system's temporary directory if nil.
    init(in parent: String? = nil) throws {
        let base = parent ?? FileManager.default.temporaryDirectory.path
        path = FilePath("\(base)/roundel-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path.string)
    }

    func write(_ text: String, to name: String) throws {
        let file = path.appending(name).string
        let parent = path.appending(name).removingLastComponent().string
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        if let written = try? DirectoryHandle(absolute: path).open(RelativePath(text: name), O_RDONLY) {
            _ = becomesIdle(written)
        }
    }

    func read(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path.appending(name).string)), as: UTF8.self)
    }

    func exists(_ name: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path.appending(name).string)) != nil
    }

    func names(in directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path.appending(directory).string).sorted()
    }

    /// The names of a root but for the engine's own directory.
    func items() throws -> [String] { try names().filter { $0 != ".roundel" } }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: path.appending(name).string, withIntermediateDirectories: true)
    }

    func rename(_ name: String, to target: String) throws {
        try FileManager.default.moveItem(atPath: path.appending(name).string, toPath: path.appending(target).string)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path.appending(name).string)
    }
}

/// Whether nobody has a file open for writing, at last. A child that another test starts holds every file that is open at
/// that moment until its own program begins; the engine takes such a file for one that is being written, and comes back.
func becomesIdle(_ file: Descriptor) -> Bool {
    for _ in 0..<10_000 {
        let answer = WriterCheck.check(file)
        if answer != .busy { return answer == .idle }
        sched_yield()
    }
    return false
}
