import SyncCore
import Testing

@testable import Rclone

/// What rclone says, and what is said to it, without a process.
struct WireTests {
    @Test(
        "times are read to the nanosecond, wherever they are of",
        arguments: [
            ("1970-01-01T00:00:00Z", Int64(0)), ("2026-11-24T04:07:48.476003838Z", 1_795_493_268_476_003_838),
            ("2026-11-24T05:07:48.476003838+01:00", 1_795_493_268_476_003_838),
            ("2026-11-23T20:37:48.5-07:30", 1_795_493_268_500_000_000), ("1969-12-31T23:59:59Z", -1_000_000_000),
            ("2000-02-29T12:00:00Z", 951_825_600_000_000_000), ("1900-03-01T00:00:00Z", -2_203_891_200_000_000_000),
        ])
    func times(_ text: String, _ nanoseconds: Int64) { #expect(RemoteTime.nanoseconds(text) == nanoseconds) }

    @Test(
        "what is no time is none",
        arguments: [
            "", "2026", "2026-11-24", "2026-11-24T04:07:48", "2026-13-24T04:07:48Z", "2026-11-24T04:07:48Zx",
            "2026-11-24T04:07:48.Z", "2026-11-24 04:07:48Z", "9999-11-24T04:07:48Z", "2026-11-24T04:07:48+1:00",
        ])
    func noTimes(_ text: String) { #expect(RemoteTime.nanoseconds(text) == nil) }

    @Test("a place is a name and a path, and has one spelling")
    func locations() throws {
        for (text, spelling) in [
            ("rclone:drive:", "rclone:drive:"), ("rclone:my drive:a//b/", "rclone:my drive:a/b"),
            ("rclone:s_3-x.y+z@w:/abs:x", "rclone:s_3-x.y+z@w:/abs:x"),
        ] {
            #expect(try RcloneLocation(text).text == spelling)
        }
        for text in [
            "rclone:", "rclone:drive", "rclone::x", "rclone:-x:y", "rclone:s3,secret_access_key=x:y", "rclone: a:",
            "rclone:a/b:c", "rclone::local:/", "file:x:",
        ] {
            #expect(throws: RcloneLocation.Mistake.noName) { try RcloneLocation(text) }
        }
        for text in ["rclone:a:..", "rclone:a:x/../y", "rclone:a:./x", "rclone:a:x\0y"] {
            #expect(throws: RcloneLocation.Mistake.badPath) { try RcloneLocation(text) }
        }
    }

    @Test("two places overlap if one holds the other")
    func overlaps() throws {
        let place = try RcloneLocation("rclone:a:x/y")
        for (text, overlaps) in [
            ("rclone:a:x/y", true), ("rclone:a:", true), ("rclone:a:x/y/z", true), ("rclone:a:x/yy", false),
            ("rclone:b:x/y", false), ("rclone:a:/x", true),
        ] {
            #expect(try place.overlaps(RcloneLocation(text)) == overlaps, "\(text)")
        }
    }

    @Test(
        "failures are told apart by what services say, and not by the names of items",
        arguments: [
            ("dial tcp: lookup host: no such host", 500, RcloneFailure.Reason.unreachable),
            ("couldn't connect SSH: ssh: handshake failed: ssh: unable to authenticate", 500, .loginNeeded),
            ("oauth2: cannot fetch token: invalid_grant", 500, .loginNeeded),
            ("didn't find section in config file", 500, .notConfigured),
            ("error in ListJSON: directory not found", 404, .notFound),
            ("write /x: no space left on device", 500, .noSpace),
            ("googleapi: Error 403: quota exceeded", 500, .noSpace),
            ("open permission denied/a: something else", 500, .refused),
            ("open permission denied/a: permission denied", 500, .denied), ("x509: unknown authority", 500, .untrusted),
        ])
    func failures(_ error: String, _ status: Int, _ reason: RcloneFailure.Reason) {
        #expect(RcloneFailure(status: status, error: error, asked: ["permission denied/a", "x"]).reason == reason)
    }

    private func item(_ path: String, _ name: String, size: Int64 = 1, hash: String? = "abc") -> RcloneItem {
        RcloneItem(
            path: path, name: name, size: size, modified: "2026-11-24T04:07:48Z", isDirectory: false, id: nil,
            hashes: hash.map { ["md5": $0] })
    }

    private var versions: RcloneVersions {
        var traits = RcloneTraits()
        traits.hash = "md5"
        return RcloneVersions(traits: traits)
    }

    @Test("a listing with what does not belong into it fails; one with what cannot be told is not complete")
    func listings() throws {
        let whole = try RcloneClient.read([item("d/a", "a"), item("d/b", "b")], of: "d", isRoot: false, versions)
        #expect(whole.entries.count == 2 && whole.isComplete)
        for foreign in [item("e/a", "a"), item("a", "a"), item("d/..", ".."), item("d/x/y", "x/y"), item("d/", "")] {
            #expect(throws: RcloneFailure(.malformed)) {
                try RcloneClient.read([foreign], of: "d", isRoot: false, versions)
            }
        }
        for strange in [
            [item("d/a\u{FFFD}", "a\u{FFFD}")], [item("d/a", "a", size: -1)], [item("d/a", "a"), item("d/a", "a")],
        ] {
            let found = try RcloneClient.read(strange + [item("d/b", "b")], of: "d", isRoot: false, versions)
            #expect(found.entries.map(\.name.description) == ["b"] && !found.isComplete)
        }
        let own = [item(".roundel", ".roundel"), item(".roundel-stage-directory", ".roundel-stage-directory")]
        #expect(try RcloneClient.read(own, of: "", isRoot: true, versions).entries.isEmpty)
    }

    @Test("a version is told by the hash where there is one, else by time and size")
    func tags() throws {
        let now: Int64 = 1_795_493_268_000_000_000
        let first = try #require(try versions.entry(item("a", "a"), now: now)).1
        #expect(!first.isRacy && first.tag.bytes == Array("habc".utf8))
        let other = try #require(try versions.entry(item("a", "a", hash: nil), now: now + 1_000_000)).1
        #expect(other.isRacy && other.tag != first.tag)
        #expect(try #require(try versions.entry(item("a", "a", hash: nil), now: now + 60_000_000)).1.isRacy == false)
        var nothing = item("a", "a", hash: nil)
        nothing.modified = nil
        #expect(throws: RcloneFailure(.malformed)) { try versions.entry(nothing, now: now) }
    }

    @Test(
        "what a backend can do is read from what rclone says of it",
        arguments: [
            (Int64(1), true, Duration.milliseconds(30)), (1_000_000_000, true, .milliseconds(2_200)),
            (3_153_600_000_000_000_000, false, .milliseconds(2_200)),
        ])
    func traits(_ precision: Int64, _ keepsModified: Bool, _ grain: Duration) {
        let features = RcloneInfo.Features(
            move: false, copy: true, directoryMove: false, emptyDirectories: false, foldsCase: true, slowHash: false,
            isBucket: true)
        let traits = RcloneTraits(RcloneInfo(features: features, hashes: ["md5", "sha1"], precision: precision))
        #expect(traits.movesFiles && !traits.movesDirectories && !traits.keepsEmptyDirectories)
        #expect(traits.foldsCase && traits.isBucket && traits.hash == "sha1")
        #expect(traits.keepsModified == keepsModified && traits.grain == grain)
    }

    @Test("where it serves is read from the line that says so, and from no other")
    func address() {
        func address(_ line: String) -> String? { RcloneProcess.address(in: Array(line.utf8)) }
        #expect(
            address("2026/11/24 04:13:50 NOTICE: Serving remote control on http://127.0.0.1:38719/")
                == "http://127.0.0.1:38719/")
        #expect(address("NOTICE: Serving remote control on http://10.0.0.1:38719/") == nil)
        #expect(address("NOTICE: Serving remote control on http://127.0.0.1:x/") == nil)
        #expect(address("") == nil)
    }
}
