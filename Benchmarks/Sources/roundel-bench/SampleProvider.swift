internal import DBus
internal import Glibc
internal import RoundelBus
internal import SystemPackage

/// A provider that says "synced" of everything, and knows what is in its watched folder from ItemsChanged alone.
///
/// Tells on standard output: `r` registered. Obeys bytes on standard input: `c` changes one badge in the first folder
/// and answers with the time of it, `1`/`2` go before; `m` sends a one-way message to the relay and answers with the
/// time; `f` flushes and answers with the number of files known and of overflows.
final class SampleProvider: Provider {
    private let loop: EventLoop
    private let bus: Connection
    private let folders: [ItemURI]
    private let watches: Bool
    private var link: ProviderLink?
    private var isPending = false
    private var files: Set<String> = []
    private var overflows: UInt64 = 0
    private var host = ""

    static func run(folders: [String], watches: Bool) throws {
        let loop = try EventLoop()
        let provider = try SampleProvider(loop, folders: folders, watches: watches)
        try provider.start()
        loop.run()
        provider.bus.close()
    }

    private init(_ loop: EventLoop, folders: [String], watches: Bool) throws {
        self.loop = loop
        self.watches = watches
        self.folders = try folders.map { try ItemURI("file://" + $0) }
        bus = try Connection.openSessionBus(on: loop)
    }

    private func start() throws {
        let registration = ProviderRegistration(
            object: "/org/roundel/bench", id: "bench", name: "Benchmark", icon: "", toolbarItem: nil)
        let link = try ProviderLink(self, registration: registration, on: bus)
        self.link = link
        link.setFolders(folders.map { FolderOffer(folder: $0, watch: watches) })
        try link.start()
        loop.watch(fileDescriptor: 0, interest: .read) { [unowned self] _ in obey() }
        bus.onDisconnect = { [unowned self] in loop.stop() }
    }

    private func obey() {
        var byte: UInt8 = 0
        guard read(0, &byte, 1) == 1 else { return loop.stop() }
        switch byte {
        case UInt8(ascii: "c"): change()
        case UInt8(ascii: "m"): sendOneWay()
        case UInt8(ascii: "f"): flush()
        case UInt8(ascii: "h"): host = readHost()
        default: break
        }
    }

    /// The unique name that the relay is to address, to the end of the line.
    private func readHost() -> String {
        var name: [UInt8] = []
        var byte: UInt8 = 0
        while read(0, &byte, 1) == 1, byte != UInt8(ascii: "\n") { name.append(byte) }
        return String(decoding: name, as: UTF8.self)
    }

    private func change() {
        guard let folder = folders.first, let name = try? ItemName("file-00000.txt") else { return }
        isPending.toggle()
        var columns = BadgeColumns()
        columns.append(name, isPending ? .pending : .synced, [], Progress.none)
        let time = now()
        link?.updateBadges(in: folder, columns)
        tell(time)
    }

    private func sendOneWay() {
        let time = now()
        try? bus.callNoReply("org.roundel.bench.Echo", Names.servicePath, Names.host, "Relay") {
            try $0.append(self.host)
        }
        tell(time)
    }

    private func flush() {
        guard let folder = folders.first else { return }
        link?.flush(folder) { [unowned self] _ in
            tell(UInt64(files.count))
            tell(overflows)
        }
    }

    private func tell(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { _ = write(1, $0.baseAddress, 8) }
    }

    // MARK: Provider

    func registrationChanged(_ result: Result<Void, DBusError>?) {
        switch result {
        case .success: _ = write(1, "r", 1)
        case .failure(let error):
            report("Refused: \(error.message)")
            loop.stop()
        case nil: loop.stop()
        }
    }

    func requestBadges(in directory: ItemURI, names: [ItemName], answer: @escaping (BadgeColumns) -> Void) {
        answer(
            BadgeColumns(
                badges: Array(repeating: .synced, count: names.count), flags: Array(repeating: 0, count: names.count),
                progress: Array(repeating: Progress.none, count: names.count)))
    }

    func itemsChanged(_ changes: FolderChanges, accepted: @escaping () -> Void) {
        // The others are there for the service alone; one of them may be a mount that never answers.
        guard changes.folder == folders.first else { return accepted() }
        if changes.overflow {
            overflows += 1
            list(changes.folder.filePath.string, isDeep: true)
        }
        for directory in changes.directories { list(directory.filePath.string, isDeep: false) }
        for item in changes.items { look(item.filePath.string) }
        accepted()
    }

    private func look(_ path: String) {
        var status = stat()
        if lstat(path, &status) != 0 {
            files.remove(path)
        } else if status.st_mode & S_IFMT == S_IFREG {
            files.insert(path)
        }
    }

    private func list(_ path: String, isDeep: Bool) {
        for name in Files.names(in: path) {
            let full = path + "/" + name
            var status = stat()
            guard lstat(full, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFREG {
                files.insert(full)
            } else if isDeep, status.st_mode & S_IFMT == S_IFDIR {
                list(full, isDeep: true)
            }
        }
    }
}
