import CLinux
import Glibc
public import SystemPackage

/// A directory of a test's own, removed with everything in it when the last reference goes. Names are paths below it.
public final class TemporaryDirectory: Sendable {
    /// The directory, without symbolic links on the way to it.
    public let path: FilePath

    /// - Parameter parent: The directory to make it in, to choose the file system; `$TMPDIR` or `/tmp` if nil.
    public init(in parent: String? = nil) throws {
        let base = parent ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/roundel-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let resolved = realpath(template, nil) else {
            throw Failure("no directory can be made in \(base): \(Errno(rawValue: errno))")
        }
        defer { free(resolved) }
        path = FilePath(platformString: resolved)
        chmod(resolved, 0o755)
    }

    deinit { removeTree(path) }

    /// A path below the directory; the directory itself for an empty name.
    public subscript(name: String) -> FilePath {
        name.isEmpty ? path : FilePath(path.string + "/" + name)
    }

    /// The same as the subscript.
    public func callAsFunction(_ name: String) -> FilePath { self[name] }

    /// Makes a directory and those above it that are missing.
    public func makeDirectory(_ name: String) throws {
        if mkdir(self[name].string, 0o755) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, !name.isEmpty else { throw failure("mkdir", name) }
        try makeDirectory(name.split(separator: "/").dropLast().joined(separator: "/"))
        try check(mkdir(self[name].string, 0o755), "mkdir", name)
    }

    /// Makes a symbolic link to another place in this directory, as an absolute path.
    public func makeLink(_ name: String, to target: String) throws {
        try check(symlink(self[target].string, self[name].string), "symlink", name)
    }

    /// Writes a file, and makes the directories above it that are missing.
    public func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    /// Writes a file, and makes the directories above it that are missing.
    public func write(_ bytes: [UInt8], to name: String) throws {
        try makeDirectory(name.split(separator: "/").dropLast().joined(separator: "/"))
        let file = try opened(name, O_WRONLY | O_CREAT | O_TRUNC)
        defer { waitUntilIdle(name) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure("write", name) }
            rest = rest.dropFirst(count)
        }
    }

    /// The contents of a file, as text.
    public func read(_ name: String) throws -> String { String(decoding: try bytes(of: name), as: UTF8.self) }

    /// The contents of a file.
    public func bytes(of name: String) throws -> [UInt8] {
        let file = try opened(name, O_RDONLY)
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count >= 0 else { throw failure("read", name) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// Whether there is something of this name, itself not followed if it is a symbolic link.
    public func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(self[name].string, &status) == 0
    }

    /// What is in a directory, sorted.
    public func names(in name: String = "") throws -> [String] {
        let directory = try opened(name, O_RDONLY | O_DIRECTORY)
        defer { close(directory) }
        return entries(of: directory).map { entry in
            String(decoding: entry.name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }.sorted()
    }

    /// Gives an item, with what is in it, another name.
    public func rename(_ name: String, to target: String) throws {
        try check(Glibc.rename(self[name].string, self[target].string), "rename", name)
    }

    /// Removes an item with everything in it.
    public func remove(_ name: String) throws {
        guard exists(name) else { throw failure("remove", name) }
        removeTree(self[name])
        if exists(name) { throw Failure("\(self[name]) cannot be removed") }
    }

    /// Waits until nobody has a file open for writing. A child that another test starts holds every file that is open
    /// at that moment until its own program begins; the sync engine takes such a file for one that is being written.
    /// Some seconds at most: the test itself may have it open.
    private func waitUntilIdle(_ name: String) {
        guard let file = try? opened(name, O_RDONLY) else { return }
        defer { close(file) }
        for attempt in 0..<6_000 {
            if clinux_lease(file, 0) == 0 {
                _ = clinux_lease(file, 1)
                return
            }
            guard errno == EAGAIN else { return }
            // A child that waits for a disk is not sped up by giving it the processor.
            if attempt < 1_000 { sched_yield() } else { usleep(1_000) }
        }
    }

    private func opened(_ name: String, _ flags: Int32) throws -> Int32 {
        let file = open(self[name].string, flags | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure("open", name) }
        return file
    }

    private func check(_ result: Int32, _ call: String, _ name: String) throws {
        if result != 0 { throw failure(call, name) }
    }

    private func failure(_ call: String, _ name: String) -> Failure {
        Failure("\(call) \(self[name]): \(Errno(rawValue: errno))")
    }
}
