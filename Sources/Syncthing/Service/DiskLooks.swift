internal import DBus
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// Looks at places on the disk without holding the loop up: a file system may not answer.
///
/// Belongs to the loop's thread.
final class DiskLooks {
    private var work: BackgroundWork<Outcome>?
    private var begun: [Int: Look] = [:]
    /// Looks for which there was no thread.
    private var queue: [Look] = []
    private var count = 0
    private let loop: EventLoop
    private lazy var impatience = loop.makeTimer { [weak self] in self?.giveFallbacks() }

    /// More looks than this at a time are not begun: each may hold a thread for ever.
    private static let most = 32
    /// More than this are not begun in one folder, so that a file system that does not answer holds up no other folder.
    private static let mostInFolder = 2

    private enum Result {
        case facts([ItemURI: DiskFacts])
        case names([ItemName])
        case places([FolderSettings])
    }
    private struct Outcome: Sendable {
        let number: Int
        let result: Result
    }

    private enum Question: Sendable {
        case facts(Set<ItemURI>)
        case names(ItemURI)
        case places([FolderSettings])

        /// Looks, which may take for ever.
        func look() -> Result {
            switch self {
            case .facts(let items):
                let facts = items.map { ($0, DiskFacts(lookingAt: $0.filePath.string)) }
                return .facts(Dictionary(uniqueKeysWithValues: facts))
            case .names(let directory): return .names(DiskLooks.list(directory))
            case .places(let folders): return .places(folders.map { $0.resolved() })
            }
        }

        /// What is said where nothing comes.
        var fallback: Result {
            switch self {
            case .facts(let items):
                .facts(Dictionary(uniqueKeysWithValues: items.map { ($0, DiskFacts.notLooked) }))
            case .names: .names([])
            case .places(let folders): .places(folders)
            }
        }
    }

    private struct Look {
        var question: Question
        /// The folder's place; nil for several folders.
        let root: ItemURI?
        let done: (Result) -> Void
    }

    init(_ loop: EventLoop) throws {
        self.loop = loop
        work = try BackgroundWork(loop, name: "looks") { [weak self] outcome in
            guard let self, let look = begun.removeValue(forKey: outcome.number) else { return }
            beginQueued()
            look.done(outcome.result)
        }
    }

    /// What is at each place of a folder. Where there is no thread for that within a while, it is first said that nobody
    /// has looked, and what is there once it is known.
    func facts(of items: [ItemURI], in root: ItemURI, _ done: @escaping ([ItemURI: DiskFacts]) -> Void) {
        start(.facts(Set(items)), in: root) { if case .facts(let facts) = $0 { done(facts) } }
    }

    /// The names in a directory of a folder, sorted; none if there is no thread to look for them.
    func names(in directory: ItemURI, of root: ItemURI?, _ done: @escaping ([ItemName]) -> Void) {
        start(.names(directory), in: root) { if case .names(let names) = $0 { done(names) } }
    }

    /// The folders at their real places: none is reached over a symbolic link.
    func resolve(_ folders: [FolderSettings], _ done: @escaping ([FolderSettings]) -> Void) {
        start(.places(folders), in: nil) { if case .places(let folders) = $0 { done(folders) } }
    }

    private func start(_ question: Question, in root: ItemURI?, _ done: @escaping (Result) -> Void) {
        let look = Look(question: question, root: root, done: done)
        if hasRoom(for: root) { return begin(look) }
        enqueue(look)
        if !impatience.isSet { impatience.set(after: Patience.Syncthing.retry) }
    }

    private func hasRoom(for root: ItemURI?) -> Bool {
        begun.count < Self.most && begun.values.count { $0.root == root } < Self.mostInFolder
    }

    private func begin(_ look: Look) {
        count += 1
        let number = count
        let question = look.question
        begun[number] = look
        do {
            try work?.start { Outcome(number: number, result: question.look()) }
        } catch {
            begun[number] = nil
            look.done(question.fallback)
        }
    }

    /// Items that wait in the same folder are looked at together, however often they are asked for.
    private func enqueue(_ look: Look) {
        if case .facts(let items) = look.question {
            for index in queue.indices where queue[index].root == look.root {
                guard case .facts(let others) = queue[index].question else { continue }
                queue[index].question = .facts(others.union(items))
                return
            }
        }
        queue.append(look)
    }

    private func beginQueued() {
        while let index = queue.firstIndex(where: { hasRoom(for: $0.root) }) { begin(queue.remove(at: index)) }
    }

    /// Answers what has waited too long. Facts are still looked for: they go into badges when they come.
    private func giveFallbacks() {
        let late = queue
        queue.removeAll { if case .facts = $0.question { false } else { true } }
        for look in late { look.done(look.question.fallback) }
    }

    fileprivate static func list(_ directory: ItemURI) -> [ItemName] {
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
