import Glibc
import SystemPackage
import TestSupport

/// What is in a directory, without what is the engine's: directories end with a slash and hold nothing, files hold their
/// contents.
enum FileTree {
    /// Reads all that is below a directory.
    static func read(_ place: FilePath, below prefix: String = "") throws -> [String: String] {
        var found: [String: String] = [:]
        guard let directory = opendir(place.string) else { throw Failure("cannot list \(place): \(errno)") }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // Apache's module keeps its own notes there.
            if [".", "..", ".roundel", ".DAV"].contains(name) { continue }
            let path = place.appending(name)
            if entry.pointee.d_type == UInt8(DT_DIR) {
                found[prefix + name + "/"] = ""
                found.merge(try read(path, below: prefix + name + "/")) { $1 }
            } else {
                found[prefix + name] = try contents(of: path)
            }
        }
        return found
    }

    /// The names that do not hold the same in both. Contents are left out: they may be large.
    static func differences(_ one: [String: String], _ other: [String: String]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }

    private static func contents(of path: FilePath) throws -> String {
        guard let file = fopen(path.string, "r") else { throw Failure("cannot read \(path): \(errno)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&part, 1, part.count, file), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
