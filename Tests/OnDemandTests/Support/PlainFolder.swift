import CFuse
import CLinux
import Glibc
import MountSupport
import TestSupport

/// Something that programs do in a folder.
enum FolderDeed: CustomStringConvertible {
    case make(String, flags: Int32, mode: UInt32, mask: UInt32)
    case makeDirectory(String, mode: UInt32, mask: UInt32)
    case makeNode(String, mode: UInt32)
    case makeLink(String, to: String)
    case link(String, String)
    case remove(String)
    case removeDirectory(String)
    case rename(String, String, flags: UInt32)
    case open(slot: Int, String, flags: Int32)
    case close(slot: Int)
    case write(slot: Int, offset: Int, count: Int, seed: UInt8)
    case append(String, count: Int, seed: UInt8)
    case read(slot: Int, offset: Int, count: Int)
    case resize(slot: Int, size: Int)
    case truncate(String, size: Int)
    case allocate(slot: Int, mode: Int32, offset: Int, count: Int)
    case seek(slot: Int, offset: Int, whence: Int32)
    case copy(slot: Int, to: Int, from: Int, at: Int, count: Int)
    case map(slot: Int, offset: Int, seed: UInt8)
    case setMode(String, UInt32)
    case setOwner(String, UInt32, UInt32)
    case setTimes(String, Int64)
    case look(String)
    case lookAt(slot: Int)
    case readLink(String)
    case list(String)
    case setExtended(String, name: String, value: [UInt8], flags: Int32)
    case removeExtended(String, name: String)
    case extended(String, name: String)
    case listExtended(String)
    case makeNameless(String, into: String)
    case lock(slot: Int, other: Int)
    case lease(slot: Int)
    case synchronize(slot: Int)
    case allowed(String, Int32)

    var description: String {
        "\(Mirror(reflecting: self).children.first.map { "\($0.label ?? "")\($0.value)" } ?? "?")"
    }
}

/// A folder in which deeds are done, and what each of them gave: equal for two folders that are alike.
final class PlainFolder {
    private let root: String
    private let showsHoles: Bool
    private var slots: [Int: Int32] = [:]

    /// - Parameter showsHoles: Whether ``everything()`` says where files have holes.
    init(_ root: String, showsHoles: Bool) {
        self.root = root
        self.showsHoles = showsHoles
    }

    deinit { for file in slots.values { close(file) } }

    private func path(_ name: String) -> String { name.isEmpty ? root : "\(root)/\(name)" }

    private func outcome(_ value: Int) -> String { value < 0 ? "error \(errno)" : "\(value)" }
    private func outcome(_ value: Int32) -> String { outcome(Int(value)) }

    private func slot(_ slot: Int) -> Int32 { slots[slot] ?? -1 }

    func perform(_ deed: FolderDeed) -> String {
        switch deed {
        case .make(let name, let flags, let mode, let mask):
            umask(mask)
            defer { umask(0o22) }
            let file = Glibc.open(path(name), flags | O_CREAT | O_CLOEXEC | O_NONBLOCK, mode)
            defer { if file >= 0 { close(file) } }
            return file < 0 ? outcome(file) : "made"
        case .makeDirectory(let name, let mode, let mask):
            umask(mask)
            defer { umask(0o22) }
            return outcome(mkdir(path(name), mode))
        case .makeNode(let name, let mode): return outcome(mknod(path(name), mode, 0))
        case .makeLink(let name, let target): return outcome(symlink(target, path(name)))
        case .link(let from, let to): return outcome(Glibc.link(path(from), path(to)))
        case .remove(let name): return outcome(unlink(path(name)))
        case .removeDirectory(let name): return outcome(rmdir(path(name)))
        case .rename(let from, let to, let flags):
            return outcome(clinux_renameat2(AT_FDCWD, path(from), AT_FDCWD, path(to), flags))
        case .open(let slot, let name, let flags): return open(slot, name, flags)
        case .close(let slot): return slots.removeValue(forKey: slot).map { outcome(Glibc.close($0)) } ?? "none"
        case .write, .append, .read, .resize, .truncate, .allocate, .seek, .copy, .map, .synchronize:
            return performOnContents(deed)
        case .setMode(let name, let mode): return outcome(chmod(path(name), mode))
        case .setOwner(let name, let owner, let group): return outcome(lchown(path(name), owner, group))
        case .setTimes(let name, let time):
            let times = [
                timespec(tv_sec: Int(time), tv_nsec: 123_456_789), timespec(tv_sec: Int(time), tv_nsec: 987_654_321),
            ]
            return outcome(utimensat(AT_FDCWD, path(name), times, AT_SYMLINK_NOFOLLOW))
        case .look(let name): return look(AT_FDCWD, path(name))
        case .lookAt(let number): return look(slot(number), "")
        case .readLink(let name):
            var buffer = [CChar](repeating: 0, count: 5_000)
            let count = readlink(path(name), &buffer, 5_000)
            return count < 0
                ? outcome(count) : String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case .list(let name): return list(name)
        case .setExtended, .removeExtended, .extended, .listExtended: return performOnAttributes(deed)
        case .makeNameless(let directory, let name): return makeNameless(directory, name)
        case .lock(let one, let other):
            return "\(outcome(flock(slot(one), LOCK_EX | LOCK_NB))) \(outcome(flock(slot(other), LOCK_EX | LOCK_NB)))"
                + " \(outcome(flock(slot(one), LOCK_UN)))"
        case .lease(let number):
            let taken = clinux_lease(slot(number), 0)
            return "\(outcome(taken)) \(outcome(clinux_lease(slot(number), 1)))"
        case .allowed(let name, let mode): return outcome(access(path(name), mode))
        }
    }

    private func open(_ number: Int, _ name: String, _ flags: Int32) -> String {
        if let old = slots.removeValue(forKey: number) { close(old) }
        let file = Glibc.open(path(name), flags | O_CLOEXEC | O_NONBLOCK)
        if file < 0 { return outcome(file) }
        slots[number] = file
        return "open"
    }

    private func performOnContents(_ deed: FolderDeed) -> String {
        switch deed {
        case .write(let number, let offset, let count, let seed):
            // A pipe's date, when somebody writes into it, is the kernel's alone.
            guard isFile(slot(number)) else { return "none" }
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) &+ seed }
            return outcome(pwrite(slot(number), bytes, count, off_t(offset)))
        case .append(let name, let count, let seed):
            let file = Glibc.open(path(name), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK)
            if file < 0 { return outcome(file) }
            defer { close(file) }
            guard isFile(file) else { return "none" }
            return outcome(Glibc.write(file, [UInt8](repeating: seed, count: count), count))
        case .read(let number, let offset, let count):
            var buffer = [UInt8](repeating: 0, count: count)
            let got = pread(slot(number), &buffer, count, off_t(offset))
            return got < 0 ? outcome(got) : "\(got) \(hash(buffer.prefix(got)))"
        case .resize(let number, let size): return outcome(ftruncate(slot(number), off_t(size)))
        case .truncate(let name, let size): return outcome(Glibc.truncate(path(name), off_t(size)))
        case .allocate(let number, let mode, let offset, let count):
            return outcome(cfuse_allocate(slot(number), mode, off_t(offset), off_t(count)))
        case .seek(let number, let offset, let whence):
            // Where a directory has holes is nobody's business.
            guard isFile(slot(number)) else { return "none" }
            return outcome(Int(lseek(slot(number), off_t(offset), whence)))
        case .copy(let number, let target, let from, let at, let count):
            return outcome(cfuse_copy(slot(number), off_t(from), slot(target), off_t(at), count))
        case .map(let number, let offset, let seed): return map(slot(number), offset, seed)
        case .synchronize(let number): return outcome(fsync(slot(number)))
        default: return "no deed on contents"
        }
    }

    private func isFile(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Changes some bytes of a file that is large enough by memory.
    private func map(_ file: Int32, _ offset: Int, _ seed: UInt8) -> String {
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, Int(status.st_size) > offset else {
            return "none"
        }
        let size = Int(status.st_size)
        let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let pages, pages != MAP_FAILED else { return outcome(-1) }
        let end = min(size, offset + 3_000)
        for place in offset..<end { pages.storeBytes(of: seed, toByteOffset: place, as: UInt8.self) }
        msync(pages, size, MS_SYNC)
        munmap(pages, size)
        return "\(end - offset) bytes"
    }

    private func performOnAttributes(_ deed: FolderDeed) -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        switch deed {
        case .setExtended(let name, let attribute, let value, let flags):
            return outcome(lsetxattr(path(name), attribute, value, value.count, flags))
        case .removeExtended(let name, let attribute): return outcome(lremovexattr(path(name), attribute))
        case .extended(let name, let attribute):
            let count = lgetxattr(path(name), attribute, &buffer, buffer.count)
            return count < 0 ? outcome(count) : "\(buffer.prefix(count))"
        case .listExtended(let name):
            let count = buffer.withUnsafeMutableBytes {
                llistxattr(path(name), $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
            }
            if count < 0 { return outcome(count) }
            let names = buffer.prefix(count).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return "\(names.sorted())"
        default: return "no deed on attributes"
        }
    }

    private func makeNameless(_ directory: String, _ name: String) -> String {
        let file = Glibc.open(path(directory), CLINUX_O_TMPFILE | O_RDWR | O_CLOEXEC, 0o640)
        if file < 0 { return outcome(file) }
        defer { close(file) }
        _ = pwrite(file, "nameless", 8, 0)
        let linked = linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path(name), AT_SYMLINK_FOLLOW)
        return "\(outcome(linked)) \(look(file, ""))"
    }

    private func look(_ directory: Int32, _ name: String) -> String {
        var status = clinux_status()
        guard clinux_status(directory, name, &status) == 0 else { return outcome(-1) }
        let isDirectory = status.mode & 0o170_000 == 0o040_000
        // What time it is now differs; what was set does not. The sizes of directories are the file system's own.
        let time = status.modified < 1_200_000_000_000_000_000 ? "\(status.modified)" : "now"
        return "\(String(status.mode, radix: 8)) \(status.links) \(status.owner):\(status.group)"
            + " \(isDirectory ? 0 : status.size) \(time)"
    }

    private func list(_ name: String) -> String {
        let directory = Glibc.open(path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        if directory < 0 { return outcome(directory) }
        defer { close(directory) }
        return
            "\(entries(of: directory).map { "\(String(decoding: $0.name.map { UInt8(bitPattern: $0) }, as: UTF8.self)) \($0.isDirectory)" }.sorted())"
    }

    private func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    // MARK: All of it

    /// Everything that is in the folder: a line for each item, with all that can be said of it.
    func everything() -> [String] {
        var lines: [String] = []
        var open = [""]
        while let name = open.popLast() {
            lines.append("\(name): \(look(AT_FDCWD, path(name))) \(attributes(name)) \(substance(name))")
            let directory = Glibc.open(path(name), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
            guard directory >= 0 else { continue }
            defer { close(directory) }
            for entry in entries(of: directory) {
                let child = String(decoding: entry.name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
                open.append(name.isEmpty ? child : "\(name)/\(child)")
            }
        }
        return lines.sorted()
    }

    private func attributes(_ name: String) -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = buffer.withUnsafeMutableBytes {
            llistxattr(path(name), $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        let names = buffer.prefix(max(0, count)).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            .sorted()
        return "\(names.map { "\($0)=\(performOnAttributes(.extended(name, name: $0)))" })"
    }

    /// What a file holds, with its holes, or where a link leads.
    private func substance(_ name: String) -> String {
        var status = stat()
        guard lstat(path(name), &status) == 0 else { return "?" }
        if status.st_mode & S_IFMT == S_IFLNK { return perform(.readLink(name)) }
        guard status.st_mode & S_IFMT == S_IFREG else { return "" }
        let file = Glibc.open(path(name), O_RDONLY | O_CLOEXEC)
        if file < 0 { return outcome(file) }
        defer { close(file) }
        var parts: [String] = []
        var offset: off_t = 0
        if !showsHoles {
            var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
            let count = pread(file, &bytes, bytes.count, 0)
            return "\(count) \(hash(bytes))"
        }
        while case let start = clinux_next_data(file, offset), start >= 0 {
            let end = clinux_next_hole(file, start)
            var bytes = [UInt8](repeating: 0, count: Int(end - start))
            let count = pread(file, &bytes, bytes.count, start)
            parts.append("\(start)-\(end) \(count) \(hash(bytes))")
            offset = end
        }
        return "\(parts)"
    }
}
