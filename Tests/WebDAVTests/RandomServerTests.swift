import RemoteSupport
import SyncCore
import SyncEngine
import SystemPackage
import TestSupport
import Testing

@testable import WebDAV

/// Many things that people do at random on both sides of servers that people run.
@Suite(.serialized)
struct RandomServerTests {
    @Test(
        "After any edits, renames and deletions on both sides both hold the same, and nothing is lost",
        arguments: ServerKind.installed)
    func randomRun(_ kind: ServerKind) async throws {
        let random = SeededRandom(for: "RandomServerTests with \(kind.rawValue)")
        let server = try TestServer(kind)
        let client = try server.client()
        let result: Result<Void, any Error>
        do {
            let traits = try await ServerProbe(client, in: try #require(EntryName("probe"))).run()
            let history = RandomHistory(server, client, try ServerFolder(client, traits: traits), random)
            // Their tags tell whole seconds: what goes either way waits until a further change would show.
            result = .success(try await history.play(rounds: [.nginx, .wsgidav].contains(kind) ? 4 : 6))
        } catch {
            result = .failure(error)
        }
        await client.shutDown()
        try result.get()
    }
}

/// What people do on both sides of a folder for a while, and what has to come of it.
///
/// Where one side alone had a hand in a name, it is known exactly what has to be there. Of names in which both had one,
/// all contents have to be somewhere that were written since the sides were synced, or that neither side took away.
private final class RandomHistory {
    /// One side since both were synced last.
    private struct Doings {
        /// What it holds, as ``FileTree`` has it, with labels instead of contents.
        var tree: [String: String]
        /// The names at which something was done.
        var touched: Set<String> = []

        /// The labels of its files.
        var labels: Set<String> { RandomHistory.labels(in: tree) }
    }

    /// Plain ones: what servers do with others is another matter.
    private static let fileNames = ["a", "b", "c", "d", "e"]
    private static let directoryNames = ["d1", "d2", "d3"]
    /// More than is sent in one request to its place where a server takes small files so.
    private static let large = 300_000

    private let server: TestServer
    private let client: DAVClient
    private let folder: ServerFolder
    private var random: SeededRandom
    private var round = 0
    /// What both sides held when they were synced last.
    private var base: [String: String] = [:]
    private var here = Doings(tree: [:])
    private var there = Doings(tree: [:])
    /// Names that got another one, on either side.
    private var moves: [(old: String, new: String)] = []
    /// What contents are called here, each of which was written once.
    private var labels: [String: String] = [:]
    private var log: [String] = []

    init(_ server: TestServer, _ client: DAVClient, _ folder: ServerFolder, _ random: SeededRandom) {
        self.server = server
        self.client = client
        self.folder = folder
        self.random = random
    }

    /// Plays so many rounds; each ends with both sides synced.
    func play(rounds: Int) async throws {
        do {
            try await begin()
            for number in 1...rounds {
                round = number
                try await playRound()
            }
            for _ in 0..<2 {
                let last = try await folder.syncAll()
                if last != RunSummary() { throw Failure("with nothing to do there was done \(last)") }
            }
            try expectNothingStaged()
        } catch {
            try? await folder.stop()
            let doings = log.joined(separator: "; ")
            let before = base.map { "\($0): \($1)" }.sorted().joined(separator: ", ")
            throw Failure("seed \(random.seed), round \(round): \(error); before: \(before); what was done: \(doings)")
        }
        try await folder.stop()
    }

    private func begin() async throws {
        for name in ["d1", "d2"] { try await makeDirectory("\(name)/", on: .local) }
        for name in ["a", "b", "d1/a", "d1/b", "d2/c"] { try await write(name, on: .local) }
        try await makeDirectory("d3/", on: .remote)
        for name in ["c", "d3/a"] { try await write(name, on: .remote) }
        try await endRound()
    }

    private func playRound() async throws {
        for side in Side.allCases {
            for _ in 0..<(1 + below(6)) { try await act(side) }
        }
        try await endRound()
    }

    private func endRound() async throws {
        let found = try await settled()
        try check(found)
        try expectNothingStaged()
        base = found
        (here, there) = (Doings(tree: found), Doings(tree: found))
        (moves, log) = ([], [])
    }

    // MARK: Choosing

    private func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

    private func tree(_ side: Side) -> [String: String] { side == .local ? here.tree : there.tree }

    /// A conflict copy has a name with blanks. It is left where it is.
    private func isPlain(_ name: String) -> Bool { !name.contains(" ") }

    private func pick(_ side: Side, isDirectory: Bool) -> String? {
        let names = tree(side).keys.filter { $0.hasSuffix("/") == isDirectory && isPlain($0) }.sorted()
        return names.randomElement(using: &random)
    }

    /// A path that nothing has, in a directory that is there.
    private func newFile(_ side: Side) -> String? {
        let tree = tree(side)
        let parents = [""] + tree.keys.filter { $0.hasSuffix("/") && isPlain($0) }.sorted()
        let free = parents.flatMap { parent in Self.fileNames.map { parent + $0 } }.filter { tree[$0] == nil }
        return free.randomElement(using: &random)
    }

    /// The same for a directory, in the root or in one of its directories.
    private func newDirectory(_ side: Side) -> String? {
        let tops = tree(side).keys.filter { $0.hasSuffix("/") && isPlain($0) && Self.depth($0) == 1 }.sorted()
        let parents = [""] + tops
        return parents.randomElement(using: &random).flatMap { newDirectory(in: $0, side) }
    }

    private func newDirectory(in parent: String, _ side: Side) -> String? {
        let tree = tree(side)
        let free = Self.directoryNames.map { "\(parent)\($0)/" }.filter { tree[$0] == nil }
        return free.randomElement(using: &random)
    }

    private static func depth(_ directory: String) -> Int { directory.split(separator: "/").count }

    /// The directory that holds an item; empty for the root.
    private static func parent(of name: String) -> String {
        name.split(separator: "/").dropLast().map { "\($0)/" }.joined()
    }

    /// Contents that no other file has, nor their length: also tags that are made of seconds and lengths differ then.
    private func newContents(_ side: Side) -> String {
        let number = labels.count + 1
        let place = side == .local ? "here" : "there"
        let label = "\(number) from \(place)"
        let length = number + (below(6) == 0 ? Self.large : 20)
        let text = label + String(repeating: ".", count: length - label.utf8.count)
        labels[text] = label
        return text
    }

    // MARK: Doing

    /// One thing that a person does on a side.
    private func act(_ side: Side) async throws {
        switch below(11) {
        case 0, 1: if let name = newFile(side) { try await write(name, on: side) }
        case 2, 3, 4: if let name = pick(side, isDirectory: false) { try await write(name, on: side) }
        case 5, 6:
            if let old = pick(side, isDirectory: false), let new = newFile(side) {
                try await move(old, to: new, on: side)
            }
        case 7: if let name = pick(side, isDirectory: false) { try await remove(name, on: side) }
        case 8: if let name = newDirectory(side) { try await makeDirectory(name, on: side) }
        case 9: if let name = pick(side, isDirectory: true) { try await remove(name, on: side) }
        default:
            // It stays in its directory: two that are moved into each other are another matter.
            if let old = pick(side, isDirectory: true), let new = newDirectory(in: Self.parent(of: old), side) {
                try await move(old, to: new, on: side)
            }
        }
    }

    private func write(_ name: String, on side: Side) async throws {
        let text = newContents(side)
        log.append("\(side) writes \(labels[text] ?? "") to \(name)")
        switch side {
        case .local: try folder.local.write(text, to: name)
        case .remote:
            _ = try await client.write(
                path(name), length: Int64(text.utf8.count), parts: OneBuffer(text), if: .none)
        }
        note([name: labels[text]], on: side)
    }

    private func makeDirectory(_ name: String, on side: Side) async throws {
        log.append("\(side) makes \(name)")
        switch side {
        case .local: try folder.local.makeDirectory(bare(name))
        case .remote: _ = try await client.makeDirectory(path(name))
        }
        note([name: ""], on: side)
    }

    private func move(_ old: String, to new: String, on side: Side) async throws {
        log.append("\(side) renames \(old) to \(new)")
        switch side {
        case .local: try folder.local.rename(bare(old), to: bare(new))
        case .remote:
            _ = try await client.move(
                path(old), to: path(new), isDirectory: old.hasSuffix("/"), if: .none, overwrites: false)
        }
        for (name, label) in tree(side) where Self.isWithin(name, old) {
            let target = new + name.dropFirst(old.count)
            note([name: nil], on: side)
            note([target: label], on: side)
            moves.append((name, target))
        }
    }

    private func remove(_ name: String, on side: Side) async throws {
        let gone = tree(side).keys.filter { Self.isWithin($0, name) }
        let left = tree(side).keys.filter { !$0.hasSuffix("/") && !Self.isWithin($0, name) }
        // A side that is emptied is asked about.
        if left.count < 2 { return }
        log.append("\(side) removes \(name)")
        switch side {
        case .local: try folder.local.remove(bare(name))
        case .remote: _ = try await client.remove(path(name), isDirectory: name.hasSuffix("/"), if: .none)
        }
        for name in gone { note([name: nil], on: side) }
    }

    /// These names hold that now on a side; nothing where it is nil.
    private func note(_ changes: [String: String?], on side: Side) {
        for (name, label) in changes {
            switch side {
            case .local:
                here.tree[name] = label
                here.touched.insert(name)
            case .remote:
                there.tree[name] = label
                there.touched.insert(name)
            }
        }
    }

    private func bare(_ name: String) -> String { name.hasSuffix("/") ? String(name.dropLast()) : name }

    private func path(_ name: String) throws -> RelativePath {
        RelativePath(try name.split(separator: "/").map { try #require(EntryName(String($0))) })
    }

    // MARK: What has to come of it

    /// Syncs until both sides hold the same; returns that. Once is enough, but for a server that was busy just then.
    private func settled() async throws -> [String: String] {
        var trouble = ""
        for attempt in 0..<40 {
            // What failed several times in a row is left alone for a while.
            if attempt > 4 { try await Task.sleep(for: .seconds(1)) }
            let last = try await folder.syncAll()
            let (local, remote) = (try labelled(folder.local.path), try labelled(server.files))
            if last.errors == 0 && local == remote { return local }
            let names = FileTree.differences(local, remote)
            let found = names.map { "\($0) is \(local[$0] ?? "not") here, \(remote[$0] ?? "not") there" }
            let wasOffline = folder.wasOffline ? "; the server was away" : ""
            trouble =
                "\(found); \(last.errors) errors, of all: \(folder.errors)\(wasOffline); \(folder.status.map { "\($0)" } ?? "")"
        }
        throw Failure("the sides do not become the same: \(trouble)")
    }

    /// What is in a directory. Contents that nobody wrote are said to be some.
    private func labelled(_ place: FilePath) throws -> [String: String] {
        var tree = try FileTree.read(place)
        for (name, text) in tree where !name.hasSuffix("/") {
            tree[name] = labels[text] ?? "\(text.utf8.count) bytes that nobody wrote"
        }
        return tree
    }

    private func check(_ found: [String: String]) throws {
        let contested = contested()
        let names = Set(base.keys).union(here.tree.keys).union(there.tree.keys).subtracting(contested)
        for name in names.sorted() {
            let isHere = here.touched.contains(name)
            let wanted = isHere ? here.tree[name] : there.touched.contains(name) ? there.tree[name] : base[name]
            if found[name] != wanted {
                throw Failure("\(name) is \(found[name] ?? "not there"), should be \(wanted ?? "gone")")
            }
        }
        let (mine, theirs) = (here.labels, there.labels)
        let new = mine.union(theirs).subtracting(Self.labels(in: base))
        // Of two files with the same contents, which a conflict can leave, each side may have taken one away.
        let lost = mine.intersection(theirs).subtracting(copies()).union(new).subtracting(Self.labels(in: found))
        if !lost.isEmpty { throw Failure("lost is what was \(lost.sorted()) of \(found)") }
    }

    /// The labels that two files or more had when the sides were synced last.
    private func copies() -> Set<String> {
        var seen: Set<String> = []
        return Set(base.filter { !$0.key.hasSuffix("/") }.values.filter { !seen.insert($0).inserted })
    }

    /// The names in which both sides had a hand, with those that they had before or got since.
    private func contested() -> Set<String> {
        let (mine, theirs) = (here.touched, there.touched)
        var found = mine.filter { name in theirs.contains { Self.isConcerned(name, by: $0) } }
        found.formUnion(theirs.filter { name in mine.contains { Self.isConcerned(name, by: $0) } })
        let all = mine.union(theirs).union(base.keys)
        var count = -1
        while count != found.count {
            count = found.count
            // Where one side put another directory in the place of one in which the other side did something, nobody can say
            // which of the two has the name in the end.
            let directories = found.filter { $0.hasSuffix("/") }
            found.formUnion(all.filter { name in directories.contains { Self.isWithin(name, $0) } })
            for move in moves where found.contains(move.old) || found.contains(move.new) {
                found.formUnion([move.old, move.new])
            }
        }
        return found
    }

    private static func isConcerned(_ name: String, by other: String) -> Bool {
        isWithin(name, other) || isWithin(other, name)
    }

    /// Whether a name is another one, or that of something in it.
    private static func isWithin(_ name: String, _ other: String) -> Bool {
        name == other || (other.hasSuffix("/") && name.hasPrefix(other))
    }

    fileprivate static func labels(in tree: [String: String]) -> Set<String> {
        Set(tree.filter { !$0.key.hasSuffix("/") }.values)
    }

    /// Nothing is left where uploads wait for their names.
    private func expectNothingStaged() throws {
        let staging = server.files.appending(".roundel/test/staging")
        // Where dot-files do not show, directories that were deleted stay, as they may hold some.
        let staged = ((try? FileTree.read(staging)) ?? [:]).filter { !$0.key.hasSuffix("/") }
        if !staged.isEmpty { throw Failure("staged is still \(staged.keys.sorted())") }
    }
}
