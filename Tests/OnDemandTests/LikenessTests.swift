import CLinux
import Glibc
import MountProtocol
import MountSupport
import OnDemand
import SystemPackage
import TestSupport
import Testing

/// Chooses deeds at random, some of which make no sense.
private struct DeedChooser {
    private var random: SeededRandom
    /// Whether room is reserved.
    private let reserves: Bool
    /// Whether holes are looked for. Whether reserved room that was read counts as data is a matter of what is cached, in a
    /// plain folder as well.
    let showsHoles: Bool

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        reserves = Bool.random(using: &random)
        showsHoles = !reserves && !MountedFolder.reservesAhead
    }

    private static let names = ["a", "b", "c", "d/a", "d/b", "d/e/a", "d", "d/e", "ä \u{1F600}"]
    private static let attributes = [
        "user.one", "user.two", "trusted.x", "system.posix_acl_access", "system.posix_acl_default", "security.x",
        "other.x",
    ]

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
    private mutating func name() -> String { pick(Self.names) }
    private mutating func slot() -> Int { below(4) }
    private mutating func mode() -> UInt32 {
        pick([0o600, 0o644, 0o666, 0o755, 0o777, 0o400, 0o4755, 0o2770, 0o1777, 0])
    }
    private mutating func mask() -> UInt32 { pick([0o22, 0, 0o77, 0o27]) }
    private mutating func offset() -> Int { pick([0, 1, 100, 4_095, 4_096, 5_000, 40_000, 130_000, 1_100_000]) }
    private mutating func count() -> Int { pick([0, 1, 10, 4_096, 5_000, 20_000, 200_000]) }
    private mutating func seed() -> UInt8 { UInt8(1 + below(250)) }

    mutating func next() -> FolderDeed {
        switch below(13) {
        case 0, 1: making()
        case 2, 3: naming()
        case 4, 5: opening()
        case 6, 7, 8: contents()
        case 9: attributes()
        case 10: extended()
        case 11: .look(name())
        default: pick([.list(pick(["", "d", "d/e"])), .readLink(name()), .allowed(name(), pick([R_OK, W_OK, X_OK]))])
        }
    }

    private mutating func making() -> FolderDeed {
        switch below(7) {
        case 0, 1, 2:
            .make(name(), flags: pick([O_RDWR, O_RDWR | O_EXCL, O_WRONLY | O_TRUNC]), mode: mode(), mask: mask())
        case 3: .makeDirectory(pick(["d", "d/e", "f"]), mode: pick([0o755, 0o777, 0o2775, 0o700]), mask: mask())
        case 4:
            .makeNode(name(), mode: pick([0o010_644, 0o100_600, 0o140_666]))
        case 5: .makeLink(name(), to: pick(["a", "d", "./c", "nowhere/at/all", String(repeating: "x", count: 300)]))
        default: .makeNameless(pick(["", "d"]), into: name())
        }
    }

    private mutating func naming() -> FolderDeed {
        switch below(8) {
        case 0: .remove(name())
        case 1: .removeDirectory(pick(["d", "d/e", "f", "a"]))
        case 2: .link(name(), name())
        default: .rename(name(), name(), flags: pick([0, 0, 0, CLINUX_RENAME_NOREPLACE, CLINUX_RENAME_EXCHANGE]))
        }
    }

    private mutating func opening() -> FolderDeed {
        switch below(6) {
        case 0: .close(slot: slot())
        case 1: .lock(slot: slot(), other: slot())
        case 2: .lease(slot: slot())
        case 3: .lookAt(slot: slot())
        default:
            .open(
                slot: slot(), name(),
                flags: pick([O_RDWR, O_RDWR, O_RDONLY, O_WRONLY, O_RDWR | O_TRUNC, O_RDWR | O_APPEND, O_RDWR | O_SYNC]))
        }
    }

    private mutating func contents() -> FolderDeed {
        switch below(11) {
        case 0, 1, 2: .write(slot: slot(), offset: offset(), count: count(), seed: seed())
        case 3: .append(name(), count: count(), seed: seed())
        case 4, 5: .read(slot: slot(), offset: offset(), count: count())
        case 6: pick([.resize(slot: slot(), size: offset()), .truncate(name(), size: offset())])
        // Reserving, keeping the size, making zeros; or punching.
        case 7: .allocate(slot: slot(), mode: pick(reserves ? [0, 1, 16, 17] : [3]), offset: offset(), count: count())
        case 8 where showsHoles: .seek(slot: slot(), offset: offset(), whence: pick([3, 4]))
        case 9: pick([.map(slot: slot(), offset: offset(), seed: seed()), .synchronize(slot: slot())])
        default: .copy(slot: slot(), to: slot(), from: offset(), at: offset(), count: count())
        }
    }

    private mutating func attributes() -> FolderDeed {
        switch below(3) {
        case 0: .setMode(name(), mode())
        // Without any the set-user-ID bit goes all the same, which a mounted folder is not asked for.
        case 1: .setOwner(name(), pick([0, 65_534]), pick([0, 65_534, .max]))
        default: .setTimes(name(), pick([-1_000, 0, 1_000_000_000]))
        }
    }

    private mutating func extended() -> FolderDeed {
        let attribute = pick(Self.attributes)
        return switch below(5) {
        case 0, 1:
            .setExtended(name(), name: attribute, value: value(for: attribute), flags: Int32(pick([0, 0, 1, 2])))
        case 2: .removeExtended(name(), name: attribute)
        case 3: .extended(name(), name: attribute)
        default: .listExtended(name())
        }
    }

    /// Access lists have a form: the owner, a user, the group, the mask, others.
    private mutating func value(for attribute: String) -> [UInt8] {
        guard attribute.hasPrefix("system.") else { return [UInt8](repeating: seed(), count: pick([0, 1, 20, 300])) }
        let entries: [(UInt8, UInt8, UInt32)] = [
            (1, 7, .max), (2, UInt8(below(8)), 1_000), (4, UInt8(below(8)), .max), (16, UInt8(below(8)), .max),
            (32, 4, .max),
        ]
        return [2, 0, 0, 0]
            + entries.flatMap { tag, rights, user in
                [tag, 0, rights, 0] + (0..<4).map { UInt8(truncatingIfNeeded: user >> ($0 * 8)) }
            }
    }
}

@Suite(
    "What people do in a mounted folder is what they do in a plain one", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct LikenessTests {
    @Test("random deeds come to the same", arguments: SeededRandom.seeds(12, for: "LikenessTests"))
    func random(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.base.makeDirectory("plain")
        chmod(folder.contents, 0o755)
        try folder.mount()
        var chooser = DeedChooser(seed: seed)
        func plain(_ path: String) -> PlainFolder { PlainFolder(path, showsHoles: chooser.showsHoles) }
        let (mounted, beside) = (plain(folder.path), plain(folder.base("plain").string))
        var history: [String] = []
        for _ in 0..<600 {
            let deed = chooser.next()
            let (here, there) = (mounted.perform(deed), beside.perform(deed))
            history.append("\(deed): \(there)")
            guard here == there else {
                Issue.record(
                    "seed \(seed): \(deed): \(here), but \(there) in a plain folder, after \(history.suffix(60))")
                return
            }
        }
        try compare(mounted, beside, "seed \(seed)")
        // What the kernel keeps is what is behind.
        try compare(mounted, plain(folder.contents), "seed \(seed), behind")
        folder.kill()
        folder.unmount()
        try folder.mount()
        try compare(plain(folder.path), beside, "seed \(seed), mounted again")
    }

    @Test("dates change when they do in a plain folder, also when nothing else does")
    func dates() throws {
        let folder = try MountedFolder()
        try folder.base.makeDirectory("plain")
        try folder.mount()
        let deeds: [FolderDeed] = [
            .truncate("a", size: 4_096), .truncate("a", size: 5_000), .open(slot: 0, "a", flags: O_RDWR),
            .resize(slot: 0, size: 4_096), .open(slot: 0, "a", flags: O_RDWR | O_TRUNC), .setMode("a", 0o600),
            .read(slot: 0, offset: 0, count: 10), .write(slot: 0, offset: 0, count: 10, seed: 1), .link("a", "b"),
            .setExtended("a", name: "user.one", value: [1], flags: 0),
        ]
        let outcomes = [folder.path, folder.base("plain").string].map { path in
            deeds.map { deed in
                let plain = PlainFolder(path, showsHoles: false)
                let before: [FolderDeed] = [
                    .remove("b"), .make("a", flags: O_RDWR | O_TRUNC, mode: 0o644, mask: 0o22),
                    .truncate("a", size: 4_096), .open(slot: 0, "a", flags: O_RDWR), .setTimes("a", 1_000_000_000),
                ]
                for deed in before { _ = plain.perform(deed) }
                return "\(deed): \(plain.perform(deed)) \(plain.perform(.look("a")))"
            }
        }
        #expect(outcomes[0] == outcomes[1])
    }

    private func compare(_ one: PlainFolder, _ other: PlainFolder, _ what: String) throws {
        let (left, right) = (one.everything(), other.everything())
        for (here, there) in zip(left, right) where here != there {
            Issue.record("\(what): \(here), but \(there)")
            return
        }
        #expect(left.count == right.count, "\(what)")
    }

    @Test(
        "attributes, also the time of birth, are those of what is behind",
        arguments: SeededRandom.seeds(2, for: "LikenessTests.attributes"))
    func attributes(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.mount()
        var random = SeededRandom(seed: seed)
        for number in 0..<40 {
            let (name, size) = ("file-\(number)", Int.random(in: 0...100_000, using: &random))
            try write(Pattern.bytes(version: UInt64(number), size: size), to: folder(name))
            if Bool.random(using: &random) { chmod(folder(name), 0o600) }
            if Bool.random(using: &random) { link(folder(name), folder("other-\(number)")) }
            if Bool.random(using: &random) { truncate(folder(name), off_t(size / 2)) }
            let (seen, real) = (try fileStatus(of: folder(name)), try fileStatus(of: folder.behind(name)))
            #expect(seen.inode == real.inode && seen.born == real.born && seen.modified == real.modified)
            #expect(seen.changed == real.changed && seen.size == real.size && seen.links == real.links)
            #expect(seen.mode == real.mode && seen.owner == real.owner && seen.group == real.group)
        }
    }

    @Test("an item that was deleted can be used as long as it is open, or stood for")
    func deleted() throws {
        let folder = try MountedFolder()
        try folder.mount()
        try write([1, 2, 3], to: folder("file"))
        mkdir(folder("directory"), 0o755)
        let flags = CLINUX_O_PATH | O_CLOEXEC
        let (file, directory) = (open(folder("file"), flags), open(folder("directory"), flags | O_DIRECTORY))
        unlink(folder("file"))
        rmdir(folder("directory"))
        var status = clinux_status()
        #expect(clinux_status(file, "", &status) == 0 && status.links == 0 && status.size == 3)
        #expect(clinux_status(directory, "", &status) == 0 && status.links == 0)
        #expect(chmod("/proc/self/fd/\(file)", 0o600) == 0)
        #expect(contents(of: "/proc/self/fd/\(file)") == .success([1, 2, 3]))
        #expect(openat(directory, "new", O_RDWR | O_CREAT, 0o644) < 0 && errno == ENOENT)
        close(file)
        close(directory)
    }
}

@Suite(
    "Random reads and writes in a mounted folder", .serialized,
    .enabled(if: MountedFolder.isPossible, "mounting needs /dev/fuse and fusermount3"))
struct FileAccessTests {
    /// What the file should hold.
    private struct Shadow {
        var bytes: [UInt8] = []

        mutating func write(_ part: [UInt8], at offset: Int) {
            if bytes.count < offset + part.count {
                bytes += [UInt8](repeating: 0, count: offset + part.count - bytes.count)
            }
            bytes.replaceSubrange(offset..<offset + part.count, with: part)
        }

        mutating func resize(_ size: Int) {
            bytes = Array(bytes.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
        }
    }

    private static let limit = 400_000

    @Test("each read gives what was written last", arguments: SeededRandom.seeds(3, for: "FileAccessTests"))
    func accesses(seed: UInt64) throws {
        let folder = try MountedFolder()
        try folder.mount()
        let worker = try StandInWorker(folder)
        defer { worker.close() }
        var random = SeededRandom(seed: seed)
        func number(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &random) }
        var shadow = Shadow()
        let path = folder("file")
        var files = (0..<3).map { _ in open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644) }
        defer { for file in files { close(file) } }
        for round in 0..<400 {
            let (offset, count) = (number(Self.limit), number(70_000))
            let which = number(3)
            switch number(9) {
            case 0, 1, 2:
                let part = [UInt8](repeating: UInt8(truncatingIfNeeded: round) | 1, count: count)
                #expect(pwrite(files[which], part, count, off_t(offset)) == count)
                if count > 0 { shadow.write(part, at: offset) }
            case 3:
                let size = number(Self.limit)
                #expect((number(2) == 0 ? ftruncate(files[which], off_t(size)) : truncate(path, off_t(size))) == 0)
                shadow.resize(size)
            case 4:
                #expect(mapped(files[which], &shadow, offset, UInt8(truncatingIfNeeded: round)))
            case 5:
                close(files[which])
                files[which] = open(path, O_RDWR | O_CLOEXEC)
            case 6:
                // All close it, it goes, and comes back with the next open.
                for file in files { close(file) }
                if !shadow.bytes.isEmpty, number(2) == 0 { try free(folder, worker, shadow.bytes) }
                files = (0..<3).map { _ in open(path, O_RDWR | O_CLOEXEC) }
            default: break
            }
            var buffer = [UInt8](repeating: 0, count: count)
            let (got, expected) = (
                pread(files[number(3)], &buffer, count, off_t(offset)), shadow.bytes.dropFirst(offset).prefix(count)
            )
            guard got == expected.count, buffer.prefix(got) == expected else {
                Issue.record(
                    "seed \(seed), round \(round): \(count) bytes at \(offset) of \(shadow.bytes.count) are not as written"
                )
                return
            }
        }
    }

    /// The worker has uploaded what the file holds, and brings it when it is wanted.
    private func free(_ folder: MountedFolder, _ worker: StandInWorker, _ bytes: [UInt8]) throws {
        worker.set(.keep)
        #expect(try worker.freeWhenIdle("file", version: 1) == nil)
        let count = worker.wanted.count
        let reader = try RunningProgram(["cat", folder("file")], environment: RunningProgram.inheritedEnvironment)
        let wanted = try worker.fetch(after: count)
        // Each staged file is of use once.
        let staged = ".roundel/again-\(count)"
        try write(bytes, to: folder(staged))
        let request = worker.beginFill(.fetch(wanted.fetch), staged: staged, version: Pattern.version(1))
        try #require(worker.end(of: request) == nil)
        try #require(reader.finish().status == 0)
    }

    private func mapped(_ file: Int32, _ shadow: inout Shadow, _ offset: Int, _ seed: UInt8) -> Bool {
        let size = shadow.bytes.count
        guard offset < size else { return true }
        guard let pages = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0), pages != MAP_FAILED else {
            return false
        }
        defer { munmap(pages, size) }
        let end = min(size, offset + 9_000)
        let isEqual = memcmp(pages + offset, Array(shadow.bytes[offset..<end]), end - offset) == 0
        for place in offset..<end { pages.storeBytes(of: seed, toByteOffset: place, as: UInt8.self) }
        shadow.write([UInt8](repeating: seed, count: end - offset), at: offset)
        return isEqual
    }
}
