internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Looks at places on the disk without holding the loop up: a file system may not answer.
final class DiskLooks {
    private var work: BackgroundWork<Outcome>?
    private var waiting: [Int: (Outcome) -> Void] = [:]
    private var count = 0
    /// More looks than this at a time are not begun: each may hold a thread for ever.
    private static let most = 32

    private enum Result {
        case facts([ItemURI: DiskFacts])
        case names([ItemName])
        case places([FolderSettings])
    }
    private struct Outcome: Sendable {
        let number: Int
        let result: Result
    }

    init(_ loop: EventLoop) throws {
        work = try BackgroundWork(loop, name: "looks") { [weak self] outcome in
            self?.waiting.removeValue(forKey: outcome.number)?(outcome)
        }
    }

    /// What is at each place; nothing is known if too many looks are open.
    func facts(of items: [ItemURI], _ done: @escaping ([ItemURI: DiskFacts]) -> Void) {
        let unknown = Dictionary(uniqueKeysWithValues: items.map { ($0, DiskFacts.unknown) })
        start(
            or: .facts(unknown),
            {
                .facts(Dictionary(uniqueKeysWithValues: items.map { ($0, DiskFacts(lookingAt: $0.filePath.string)) }))
            }
        ) { if case .facts(let facts) = $0 { done(facts) } }
    }

    /// The names in a directory, sorted.
    func names(in directory: ItemURI, _ done: @escaping ([ItemName]) -> Void) {
        start(or: .names([]), { .names(Self.list(directory)) }) { if case .names(let names) = $0 { done(names) } }
    }

    /// The folders at their real places: none is reached over a symbolic link.
    func resolve(_ folders: [FolderSettings], _ done: @escaping ([FolderSettings]) -> Void) {
        start(or: .places(folders), { .places(folders.map { $0.resolved() }) }) {
            if case .places(let folders) = $0 { done(folders) }
        }
    }

    private func start(
        or fallback: Result, _ body: @escaping @Sendable () -> Result, _ done: @escaping (Result) -> Void
    ) {
        guard waiting.count < Self.most else { return done(fallback) }
        count += 1
        let number = count
        waiting[number] = { done($0.result) }
        do {
            try work?.start { Outcome(number: number, result: body()) }
        } catch {
            waiting[number] = nil
            done(fallback)
        }
    }

    private static func list(_ directory: ItemURI) -> [ItemName] {
        guard let stream = opendir(directory.filePath.string) else { return [] }
        defer { closedir(stream) }
        var names: [ItemName] = []
        while let entry = readdir(stream) {
            let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // The names . and .. are refused here.
            if let name = try? ItemName(bytes: bytes) { names.append(name) }
        }
        return names.sorted()
    }
}

extension FolderSettings {
    fileprivate func resolved() -> FolderSettings {
        guard let path = realpath(root.filePath.string, nil) else { return self }
        defer { free(path) }
        guard let root = try? ItemURI(path: FilePath(platformString: path)) else { return self }
        return FolderSettings(
            id: id, label: label, root: root, direction: direction, isPaused: isPaused, devices: devices)
    }
}
