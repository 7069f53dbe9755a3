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
        var real = folder
        if let path = folder.withPlatformString({ realpath($0, nil) }) {
            real = FilePath(platformString: path)
            free(path)
        }
        for process in names(in: "/proc") where process.utf8.allSatisfy({ (48...57).contains($0) }) {
            guard Int32(process) != getpid(), uses("/proc/\(process)", real) else { continue }
            let name = target(of: "/proc/\(process)/exe")?.lastComponent?.string ?? process
            if !own.contains(name) { return name }
        }
        return nil
    }

    private static func uses(_ process: String, _ folder: FilePath) -> Bool {
        if target(of: "\(process)/cwd")?.starts(with: folder) == true { return true }
        return names(in: "\(process)/fd").contains { target(of: "\(process)/fd/\($0)")?.starts(with: folder) == true }
            || mapped(by: process).contains { $0.starts(with: folder) }
    }

    /// The files that a process has in its memory, which need not be open.
    private static func mapped(by process: String) -> Set<FilePath> {
        guard let stream = fopen("\(process)/maps", "re") else { return [] }
        defer { fclose(stream) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        var paths: Set<FilePath> = []
        while getline(&line, &capacity, stream) > 0 {
            // No column before the path has a slash.
            guard let start = line.flatMap({ strchr($0, 47) }) else { continue }
            if let end = strchr(start, 10) { end.pointee = 0 }
            paths.insert(FilePath(platformString: start))
        }
        return paths
    }

    private static func target(of link: String) -> FilePath? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        return FilePath(platformString: Array(buffer.prefix(count)) + [0])
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
