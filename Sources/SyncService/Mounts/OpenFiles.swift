internal import CLinux
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Which programs work in a folder. A program that has something open in a directory which is moved away would go on
/// there, where it is neither synced nor told what is not here.
enum OpenFiles {
    /// Roundel's own, which look again, or end with the mount.
    private static let own: Set<String> = ["roundel-worker", "roundeld", "roundel-mount"]

    /// The name of a program that has something of a folder open, or works in it; nil if none is known. It blocks.
    static func program(in folder: FilePath) -> String? {
        let real = folder.withPlatformString { realpath($0, nil) }
        defer { free(real) }
        let place = real.map { FilePath(platformString: $0) } ?? folder
        // Compared as bytes: on a desktop there are hundreds of thousands of paths, and each is a path of its own otherwise.
        return place.withPlatformString { path in
            for process in names(in: "/proc") where process.utf8.allSatisfy({ (48...57).contains($0) }) {
                guard Int32(process) != getpid(), uses("/proc/\(process)", path) else { continue }
                let name = program(of: process)
                if !own.contains(name) { return name }
            }
            return nil
        }
    }

    private static func uses(_ process: String, _ folder: UnsafePointer<CChar>) -> Bool {
        leads("\(process)/cwd", into: folder)
            || names(in: "\(process)/fd").contains { leads("\(process)/fd/\($0)", into: folder) }
            || maps(process, from: folder)
    }

    /// Whether a process has a file of the folder in its memory, which need not be open.
    private static func maps(_ process: String, from folder: UnsafePointer<CChar>) -> Bool {
        guard let stream = fopen("\(process)/maps", "re") else { return false }
        defer { fclose(stream) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while getline(&line, &capacity, stream) > 0 {
            // No column before the path has a slash.
            guard let start = line.flatMap({ strchr($0, 47) }) else { continue }
            if let end = strchr(start, 10) { end.pointee = 0 }
            if isAt(folder, orBelow: start) { return true }
        }
        return false
    }

    private static func leads(_ link: String, into folder: UnsafePointer<CChar>) -> Bool {
        withTarget(of: link) { isAt(folder, orBelow: $0) } ?? false
    }

    private static func program(of process: String) -> String {
        let path = withTarget(of: "/proc/\(process)/exe") { FilePath(platformString: $0) }
        return path?.lastComponent?.string ?? process
    }

    private static func isAt(_ folder: UnsafePointer<CChar>, orBelow path: UnsafePointer<CChar>) -> Bool {
        let length = strlen(folder)
        return strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == 47)
    }

    /// Calls `body` with what a symbolic link leads to; nil if it cannot be read.
    private static func withTarget<Result>(of link: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(link, start, buffer.count - 1)
            guard count > 0 else { return nil }
            start[count] = 0
            return body(start)
        }
    }

    private static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            if let name = clinux_entry_name(entry) { names.append(String(cString: name)) }
        }
        return names
    }
}

extension WorkerError {
    /// A folder whose directory is to be moved is used by this program.
    static func inUse(_ folder: FilePath, by program: String) -> WorkerError {
        WorkerError(
            .inUse,
            tr(
                "“{1}” uses “{2}”. Close it or leave the folder in it, then try again.", program,
                ShownPath.short(folder)))
    }
}
