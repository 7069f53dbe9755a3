internal import CPeers
internal import Glibc

/// Where temporary directories are made.
let temporaryParent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"

func now() -> UInt64 { peers_now() }

/// Lets everything come to rest.
func rest(milliseconds: UInt32) { usleep(milliseconds * 1000) }

/// Waits for a condition; false when it does not come in time.
func wait(seconds: Double, step: UInt32 = 1000, until condition: () throws -> Bool) rethrows -> Bool {
    let deadline = now() + UInt64(seconds * 1e9)
    while try !condition() {
        guard now() < deadline else { return false }
        usleep(step)
    }
    return true
}

/// A directory that goes with everything in it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        var template = Array("\(temporaryParent)/roundel-bench.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("no directory can be made in \(temporaryParent)") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Files.removeTree(path) }

    /// Makes a directory in it.
    func directory(_ name: String) throws -> String {
        let full = path + "/" + name
        guard mkdir(full, 0o700) == 0 || errno == EEXIST else { throw Failure("cannot make \(full)") }
        return full
    }
}

/// Small things that are done with files.
enum Files {
    static func text(_ path: String) -> String? {
        bytes(path).map { String(decoding: $0, as: UTF8.self) }
    }

    static func bytes(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let size = read(file, &buffer, buffer.count), size > 0 { bytes += buffer[..<size] }
        return bytes
    }

    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure("cannot write \(path)") }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let size = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard size > 0 else { throw Failure("cannot write \(path)") }
            rest = rest.dropFirst(size)
        }
    }

    static func names(in directory: String) -> [String] {
        guard let listing = opendir(directory) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Bytes in a file, and KiB that the file system keeps for it.
    static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    static func stored(_ path: String) -> Double {
        var status = stat()
        return stat(path, &status) == 0 ? Double(status.st_blocks) / 2 : -1
    }

    static func removeTree(_ path: String) { _ = try? Child.output(["rm", "-rf", "--", path]) }

    static func count(in directory: String) throws -> Int {
        let text = try Child.output(["sh", "-c", "find \"$1\" -type f | wc -l", "count", directory])
        return Int(text.filter(\.isNumber)) ?? 0
    }
}
