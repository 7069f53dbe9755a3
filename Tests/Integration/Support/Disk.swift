import Glibc
import TestSupport

/// The few operations on files that the tests need; what fails is said with its path.
enum Disk {
    static func makeDirectory(_ path: String) throws {
        try check(mkdir(path, 0o755), "mkdir", path)
    }

    /// Makes a directory and those above it that are missing.
    static func makeDirectories(_ path: String) throws {
        if mkdir(path, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw Failure("mkdir \(path): \(errno)")
        }
        try makeDirectories(String(path[..<slash]))
        try makeDirectory(path)
    }

    static func write(_ path: String, _ text: String) throws {
        try write(path, Array(text.utf8))
    }

    static func write(_ path: String, _ bytes: [UInt8]) throws {
        try write(Array(path.utf8), bytes)
    }

    /// Writes a file whose path is any bytes.
    static func write(_ path: [UInt8], _ bytes: [UInt8]) throws {
        let name = String(decoding: path, as: UTF8.self)
        let file = withPath(path) { open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        try check(file, "open", name)
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, bytes.count - written) }
            try check(Int32(truncatingIfNeeded: count), "write", name)
            written += count
        }
    }

    /// Writes a new file and puts it in place of the old one, as editors do.
    static func replace(_ path: String, _ text: String) throws {
        try write(path + "~new", text)
        try move(path + "~new", path)
    }

    static func read(_ path: String) throws -> [UInt8] { try read(Array(path.utf8)) }

    static func read(_ path: [UInt8]) throws -> [UInt8] {
        let file = withPath(path) { open($0, O_RDONLY | O_CLOEXEC) }
        try check(file, "open", String(decoding: path, as: UTF8.self))
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            try check(Int32(count), "read", String(decoding: path, as: UTF8.self))
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    static func text(_ path: String) throws -> String { String(decoding: try read(path), as: UTF8.self) }

    /// The text of a file, nil if it is not there.
    static func textIfThere(_ path: String) -> String? { try? text(path) }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }

    static func move(_ old: String, _ new: String) throws { try check(rename(old, new), "rename", old) }

    static func link(_ path: String, to target: String) throws { try check(symlink(target, path), "symlink", path) }

    /// Where a symbolic link leads.
    static func target(_ path: String) throws -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        try check(Int32(count), "readlink", path)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func remove(_ path: String) throws { try check(unlink(path), "unlink", path) }

    /// F_SETLEASE, which the module of the C library lacks.
    private static let setLease: Int32 = 1024

    /// Makes a file that was just written a program.
    static func makeExecutable(_ path: String) throws {
        try check(chmod(path, 0o755), "chmod", path)
        let file = open(path, O_RDONLY | O_CLOEXEC)
        try check(file, "open", path)
        defer { close(file) }
        // A child that another test starts holds every file that is open at that moment until its own program begins,
        // and a file that is open for writing cannot be executed.
        let end = Moment.now + World.patience
        while fcntl(file, setLease, Int32(F_RDLCK)) != 0 {
            guard errno == EAGAIN, Moment.now < end else { return }
            usleep(1_000)
        }
        _ = fcntl(file, setLease, Int32(F_UNLCK))
    }

    static func resolved(_ path: String) throws -> String {
        guard let text = realpath(path, nil) else { throw Failure("realpath \(path): \(errno)") }
        defer { free(text) }
        return String(cString: text)
    }

    /// The names in a directory, as bytes, without `.` and `..`.
    static func names(_ path: [UInt8]) throws -> [[UInt8]] {
        guard let stream = withPath(path, { opendir($0) }) else {
            throw Failure("opendir \(String(decoding: path, as: UTF8.self)): \(errno)")
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
                    Array(
                        UnsafeBufferPointer(
                            start: bytes,
                            count: strlen(
                                UnsafeRawPointer(bytes)
                                    .assumingMemoryBound(to: CChar.self))))
                }
            }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    static func names(_ path: String) throws -> [String] {
        try names(Array(path.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Every item below a directory: its relative path to its contents, nil for a directory. Hidden files of the
    /// sync worker's own are passed over, and so is what it moves or removes at that moment.
    static func tree(_ path: String) throws -> [String: [UInt8]?] {
        var tree: [String: [UInt8]?] = [:]
        try collect(Array(path.utf8), "", into: &tree)
        return tree
    }

    private static func collect(_ path: [UInt8], _ prefix: String, into tree: inout [String: [UInt8]?]) throws {
        try collect(names(path), of: path, prefix, into: &tree)
    }

    private static func collect(
        _ names: [[UInt8]], of path: [UInt8], _ prefix: String, into tree: inout [String: [UInt8]?]
    ) throws {
        for name in names where !name.starts(with: Array(".roundel".utf8)) {
            let child = path + [0x2F] + name
            // Strings that are equal in Swift may be other bytes, and bytes may be no string.
            let label = prefix + (name.allSatisfy { $0 < 0x80 } ? String(decoding: name, as: UTF8.self) : "\(name)")
            var status = stat()
            guard withPath(child, { lstat($0, &status) }) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                guard let inside = try ifThere(child, { try self.names(child) }) else { continue }
                tree[label] = .some(nil)
                try collect(inside, of: child, label + "/", into: &tree)
            } else if status.st_mode & S_IFMT == S_IFREG {
                guard let bytes = try ifThere(child, { try read(child) }) else { continue }
                tree[label] = bytes
            } else {
                tree[label] = Array("special".utf8)
            }
        }
    }

    /// What `body` gives, in the second attempt if the item was just replaced; nil if it is gone.
    private static func ifThere<Result>(_ path: [UInt8], _ body: () throws -> Result) throws -> Result? {
        do {
            return try body()
        } catch {
            var status = stat()
            return withPath(path, { lstat($0, &status) }) == 0 ? try body() : nil
        }
    }

    /// Removes whatever there is, however deep.
    static func removeAll(_ path: String) {
        _ = try? RunningProgram(["rm", "-rf", "--", path], environment: ["PATH": "/usr/bin:/bin"]).wait()
    }

    static func withPath<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { body($0.baseAddress!) }
    }

    private static func check(_ result: Int32, _ what: String, _ path: String) throws {
        if result < 0 { throw Failure("\(what) \(path): \(String(cString: strerror(errno)))") }
    }
}
