import MountProtocol
import SystemPackage
import TestSupport
import Testing

@testable import OnDemand

@Suite("What worker and folder say to each other")
struct ProtocolTests {
    private static let item = ItemReference(path: NodePath("a/b".utf8)!, inode: .max)
    private static let contents = Placeholder(size: 1 << 40, version: [0, 255])!

    private static let requests: [WorkerRequest] = [
        .hello(version: 1),
        .fill(request: 2, .fetch(FetchNumber(rawValue: 3)), staged: NodePath("s".utf8)!, version: []),
        .fill(request: .max, .item(item), staged: NodePath("s/t".utf8)!, version: [1]),
        .fail(request: 4, FetchNumber(rawValue: 3), .noSpace), .progress(FetchNumber(rawValue: .max)),
        .free(request: 5, item, FreedFile(size: 9, modified: -1, changed: .min, version: [7])),
        .make(
            request: 6,
            [
                NewPlaceholder(path: item.path, mode: 0o644, modified: -5, contents: contents),
                NewPlaceholder(path: NodePath("ä".utf8)!, mode: 0, modified: 0, contents: contents),
            ]),
        .describe(
            request: 10, item, DescribedFile(size: 1, modified: -2, changed: 3, contents: contents, date: .min)),
        .make(request: 7, []), .sync(request: 8), .locate(request: 9, FetchNumber(rawValue: 1)),
    ]
    private static let reports: [MountReport] = [
        .hello(version: 1, root: 2),
        .fetch(FetchNumber(rawValue: 1), item, contents, MountReport.FetchReason(process: 5, executable: [47, 120])),
        .cancel(FetchNumber(rawValue: 1)), .emptied(item), .done(request: 1, nil), .done(request: 2, .resourceBusy),
        .made(request: 3, [.inode(1), .failed(.fileExists)]), .located(request: 4, NodePath([])),
    ]

    @Test("every packet is read as it was written")
    func roundTrips() throws {
        for request in Self.requests { #expect(try WorkerRequest(packet: request.packet[...]) == request) }
        for report in Self.reports { #expect(try MountReport(packet: report.packet[...]) == report) }
    }

    @Test("packets that are cut or too long are refused")
    func wrongLength() {
        for packet in Self.requests.map(\.packet) {
            for count in packet.indices {
                #expect(throws: PacketError.self) { try WorkerRequest(packet: packet[..<count]) }
            }
            #expect(throws: PacketError.self) { try WorkerRequest(packet: (packet + [0])[...]) }
        }
    }

    @Test("any bytes are read or refused, and what is read is written the same")
    func anyBytes() {
        let samples = Self.requests.map(\.packet) + Self.reports.map(\.packet)
        var mutator = ByteMutator(
            SeededRandom(for: "ProtocolTests"), samples: samples, tokens: ["..", "/", "a/b", "\0"])
        mutator.run(20_000) { _, bytes in
            if let request = try? WorkerRequest(packet: bytes[...]) { #expect(request.packet == bytes) }
            if let report = try? MountReport(packet: bytes[...]) {
                #expect((try? MountReport(packet: report.packet[...])) == report)
            }
        }
    }

    @Test("errors that mean nothing to a program are refused", arguments: [0, 4, 134, 512, -1])
    func errors(number: Int32) {
        let packet = WorkerRequest.fail(request: 1, FetchNumber(rawValue: 1), Errno(rawValue: number)).packet
        #expect(throws: PacketError.senseless) { try WorkerRequest(packet: packet[...]) }
    }

    @Test("a mark is read as it was written; others are none")
    func marks() {
        for mark in [PlaceholderMark(Self.contents), PlaceholderMark(Self.contents, formerSize: .max)] {
            #expect(PlaceholderMark(mark.bytes) == mark)
            #expect(mark.placeholder(ofSize: Self.contents.size) == Self.contents && mark.placeholder(ofSize: 5) == nil)
            #expect((mark.placeholder(ofSize: .max) == nil) == (mark.formerSize == nil))
        }
        #expect(PlaceholderMark([]) == nil && PlaceholderMark([2, 0, 0, 0, 0, 0, 0, 0, 0]) == nil)
        #expect(PlaceholderMark([3] + [UInt8](repeating: 0, count: 30)) == nil)
        #expect(Placeholder(size: 1, version: [UInt8](repeating: 0, count: 256)) == nil)
    }

    @Test("settings are read as they were written; a name is no path")
    func settings() {
        let settings = MountSettings(folder: "/home/ä b/%", contents: "/x\ny")
        #expect(MountSettings(text: settings.text) == settings)
        #expect(MountSettings(text: "folder=relative\ncontents=/x") == nil && MountSettings(text: "") == nil)
        let variables = ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/user/1"]
        func places(_ name: String) -> MountPlaces? { MountPlaces(name: name) { variables[$0].map { Array($0.utf8) } } }
        #expect(places("a-1")?.settings == "/h/.local/state/roundel/mounts/a-1")
        #expect(places("a-1")?.socket == "/run/user/1/roundel/mounts/a-1")
        for name in ["", "..", "a/b", "-x", ".x", "ä", String(repeating: "x", count: 41)] {
            #expect(places(name) == nil)
        }
    }

    @Test("names beside those that are taken fit")
    func otherNames() throws {
        func other(_ name: String, _ attempt: Int = 1) throws -> String {
            let found = StrayMover.otherName(for: try #require(NodeName(name.utf8)), attempt)
            return String(decoding: try #require(found).bytes, as: UTF8.self)
        }
        #expect(try other("a.txt") == "a (recovered).txt")
        #expect(try other(".profile", 2) == ".profile (recovered 2)")
        #expect(try other("tar") == "tar (recovered)")
        let long = try other(String(repeating: "ä", count: 125) + ".odt")
        #expect(long.utf8.count <= 255 && long.hasSuffix("ä (recovered).odt"))
    }
}
