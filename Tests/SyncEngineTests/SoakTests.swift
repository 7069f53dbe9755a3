import Foundation
import Glibc
import SyncCore
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// People who work on both sides of a real folder for a while, with the real engine between them.
@Suite struct SoakTests {
    @Test("D4 D6 D7: after any edits, renames, deletions and modes both sides are equal and keep what was set there")
    func randomRun() throws {
        let random = SeededRandom(for: "SoakTests")
        var soak = try Soak(random)
        do {
            for round in 0..<14 { try soak.play(round) }
        } catch {
            Issue.record("seed \(random.seed), round \(soak.round): \(error)")
        }
    }
}

/// One soak: what people did, and what is to be found on both sides after that.
///
/// In most rounds each item is touched on one side alone, so that it is known exactly what has to come of it. In the
/// others everything happens everywhere: both sides must be equal after that, whatever they have.
struct Soak {
    /// What does not hold.
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    let world: FolderWorld
    var random: SeededRandom
    var expected: [String: SoakItem] = [:]
    var round = 0
    /// Items that were touched in this round.
    var touched: Set<String> = []
    /// Directories that were moved or deleted in this round.
    var frozen: Set<String> = []
    private var lastNumber = 0
    private var log: [String] = []

    init(_ random: SeededRandom) throws {
        self.random = random
        world = try FolderWorld()
        try world.start()
    }

    func directory(_ side: Side) -> TemporaryDirectory { side == .local ? world.folder : world.remote }

    mutating func play(_ round: Int) throws {
        self.round = round
        (touched, frozen, log) = ([], [], [])
        let isConcurrent = round % 3 == 2
        for _ in 0..<(10 + below(25)) {
            let side: Side = below(2) == 0 ? .local : .remote
            if isConcurrent { try disturb(side) } else { try act(side) }
        }
        try settle()
        let found = try Side.allCases.map { try SoakItem.all(in: directory($0), $0) }
        do {
            try checkEqual(found[0], found[1])
            if !isConcurrent { try checkExpected(found) }
        } catch {
            throw Violation(description: "\(error); what was done: \(log.joined(separator: "; "))")
        }
        expected = SoakItem.joined(found[0], found[1])
    }

    mutating func note(_ text: String) { log.append(text) }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(bound, 1), using: &random) }

    /// A number that no other has.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Runs until nothing is left to do; all deletions were meant.
    private func settle() throws {
        for _ in 0..<20 {
            let run = try world.run { $0.command(.syncAnswering([.confirmDeletes, .acceptRemote])) }
            let isQuiet = world.record.statuses.last.map { $0.counts.pending == 0 && $0.counts.errors == 0 } ?? false
            if run.isSilent && isQuiet { return }
        }
        throw Violation(description: "it does not come to rest: \(String(describing: world.record.statuses.last))")
    }

    // MARK: What must hold

    private func checkEqual(_ local: [String: SoakItem], _ remote: [String: SoakItem]) throws {
        for path in Set(local.keys).union(remote.keys).sorted() {
            guard let here = local[path], let there = remote[path], here.contents == there.contents else {
                throw Violation(description: "\(path) is not the same on both sides")
            }
            let (mine, theirs) = (here.mode[.local] ?? 0, there.mode[.remote] ?? 0)
            if mine & 0o700 != theirs & 0o700 {
                throw Violation(
                    description: "\(path) has \(String(mine, radix: 8)) here, \(String(theirs, radix: 8)) there")
            }
        }
    }

    private func checkExpected(_ found: [[String: SoakItem]]) throws {
        for (side, items) in zip(Side.allCases, found) {
            let lost = Set(expected.keys).symmetricDifference(items.keys)
            if let path = lost.min() {
                throw Violation(description: "\(path) should \(items[path] == nil ? "" : "not ")be on \(side)")
            }
            for (path, item) in items.sorted(by: { $0.key < $1.key }) {
                guard let wanted = expected[path] else { continue }
                try check(item, wanted, path, side)
            }
        }
    }

    private func check(_ item: SoakItem, _ wanted: SoakItem, _ path: String, _ side: Side) throws {
        if item.contents != wanted.contents { throw Violation(description: "\(path) has other contents on \(side)") }
        if item.attributes[side] ?? [:] != wanted.attributes[side] ?? [:] {
            throw Violation(description: "\(path) carries \(item.attributes), should \(wanted.attributes) on \(side)")
        }
        guard let mode = item.mode[side] else { return }
        let octal = String(mode, radix: 8)
        if mode & 0o700 != wanted.owner { throw Violation(description: "\(path) has \(octal) on \(side)") }
        if let set = wanted.mode[side] {
            // Executing follows reading, nothing else is opened.
            let readers = item.contents == nil ? 0 : mode >> 2 & 0o011
            if mode & 0o077 & ~(set | readers) != 0 {
                throw Violation(description: "\(path) was opened on \(side) from \(String(set, radix: 8)) to \(octal)")
            }
        }
        if mode & 0o077 & wanted.closed & ~0o011 != 0 {
            throw Violation(description: "\(path) is open on \(side) with \(octal), although it was closed")
        }
    }
}

/// What is known of one item.
struct SoakItem: Equatable {
    /// Nil for a directory.
    var contents: String?
    /// The mode on each side, where it is known; of what is new on a side, the most that it may have.
    var mode: [Side: UInt32] = [:]
    /// The owner's permissions, on both sides.
    var owner: UInt32
    /// What was closed to the group and others in this round.
    var closed: UInt32 = 0
    /// On each side what was set there.
    var attributes: [Side: [String: String]] = [:]

    /// Everything in the root of a side, by its path.
    static func all(in directory: TemporaryDirectory, _ side: Side) throws -> [String: SoakItem] {
        var found: [String: SoakItem] = [:]
        let walk = FileManager.default.enumerator(atPath: directory.path.string)
        while let path = walk?.nextObject() as? String {
            if path == ".roundel" {
                walk?.skipDescendants()
                continue
            }
            let status = try DirectoryHandle(absolute: directory.path).status(at: RelativePath(text: path))
            let contents = status.kind == .file ? try directory.read(path) : nil
            var item = SoakItem(contents: contents, mode: [side: status.mode & 0o777], owner: status.mode & 0o700)
            for name in try directory.attributes(path) {
                let value = directory.attribute(path, name) ?? []
                item.attributes[side, default: [:]][name] = String(decoding: value, as: UTF8.self)
            }
            found[path] = item
        }
        return found
    }

    /// What is known of items that both sides hold.
    static func joined(_ local: [String: SoakItem], _ remote: [String: SoakItem]) -> [String: SoakItem] {
        var all = local
        for (path, item) in remote {
            all[path]?.mode[.remote] = item.mode[.remote]
            all[path]?.attributes[.remote] = item.attributes[.remote]
        }
        return all
    }
}
