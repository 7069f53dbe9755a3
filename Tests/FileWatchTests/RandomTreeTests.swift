import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import FileWatch

@Suite("Random file operations")
struct RandomTreeTests {
    @Test(
        "D4: listing only what the watcher names ends in the true state",
        arguments: SeededRandom.seeds(12, for: "RandomTreeTests"))
    func mirrorFollowsTree(seed: UInt64) throws {
        let temporary = try TemporaryDirectory()
        let world = RandomWorld(inside: temporary("inside"), outside: temporary("outside"), seed: seed)
        world.perform(60)
        let session = try WatchSession()
        let folder = FolderID(rawValue: 1)
        session.watcher.setFolder(folder, at: world.inside, recursive: true)
        if seed % 2 == 0 { world.perform(100) }
        _ = try session.flush(folder)
        var mirror = Mirror(of: world.inside)
        for _ in 0..<20 {
            world.perform(60)
            // Sometimes the provider lists while operations go on, sometimes after all of them.
            if world.coin() { mirror.apply(session.take()) }
            if world.coin() { mirror.apply(try session.flush(folder)) }
        }
        mirror.apply(try session.flush(folder))
        let differences = mirror.differences(from: Mirror(of: world.inside))
        #expect(differences.isEmpty, "seed \(seed)")
    }
}

/// Does random things in a folder and in another one beside it.
final class RandomWorld {
    let inside: FilePath
    let outside: FilePath
    private var generator: SeededRandom
    private static let names: [[UInt8]] = [
        [0x61], [0x62], [0x63], [0x64], [0x65], [0xff, 0xfe], [0x6e, 0x0a, 0x6c], Array("ä ö".utf8),
    ]

    init(inside: FilePath, outside: FilePath, seed: UInt64) {
        self.inside = inside
        self.outside = outside
        generator = SeededRandom(seed: seed)
        Disk.makeDirectory(inside)
        Disk.makeDirectory(outside)
    }

    func coin() -> Bool { Bool.random(using: &generator) }

    func perform(_ count: Int) {
        for _ in 0..<count { performOne() }
    }

    private func path(below root: FilePath) -> FilePath {
        var path = root
        for _ in 0...Int.random(in: 0...3, using: &generator) {
            guard let name = Self.names.randomElement(using: &generator),
                let component = FilePath.Component(bytes: name)
            else { continue }
            path.append(component)
        }
        return path
    }

    private func performOne() {
        let here = path(below: inside)
        let there = path(below: inside)
        let away = path(below: outside)
        switch Int.random(in: 0..<19, using: &generator) {
        case 0...3: Disk.write(here)
        case 4...6: Disk.makeDirectories(here)
        case 7...9: Disk.rename(here, to: there)
        case 10: Disk.rename(here, to: away)
        case 11, 12: Disk.rename(away, to: here)
        case 13: Disk.remove(here)
        case 14: removeTree(here)
        case 15: Disk.changeMode(here, coin() ? 0o755 : 0o700)
        case 16: Disk.link(coin() ? there : away, at: here)
        case 17: Disk.exchange(here, coin() ? there : away)
        // A write by one name of a hard link is no event at the other, so there are none here.
        default: Disk.makeDirectories(away)
        }
    }
}
