import RoundelBus
import SystemPackage
import Testing

@testable import Setup

/// What a report knows of this computer.
@Suite struct ReportFactsTests {
    @Test(
        "Only distributions and desktops that are known are named",
        arguments: [
            ("ID=debian\nVERSION_ID=\"12\"\nPRETTY_NAME=\"Maria's\"\n", "debian 12"), ("ID=arch\n", "arch"),
            ("ID=acme-desk\nID_LIKE=\"ubuntu debian\"\nVERSION_ID=7\n", "like ubuntu"), ("ID=acme\n", "unknown"),
            ("", "unknown"),
        ])
    func distributions(release: String, expected: String) {
        #expect(SystemFacts.distribution(osRelease: release) == expected)
    }

    @Test func desktopsAndVersionsHaveNoWordsOfOthers() {
        #expect(SystemFacts.desktop("ubuntu:GNOME", session: "wayland") == "ubuntu, GNOME (wayland)")
        #expect(SystemFacts.desktop("AcmeShell", session: "acme") == "unknown")
        #expect(SystemFacts.version(in: "6.1.0-18-acme") == "6.1.0")
        #expect(SystemFacts.version(in: "GNOME nautilus 43.2\n") == "43.2")
        #expect(SystemFacts.version(in: "nothing") == "unknown")
    }

    @Test func theDeepestMountThatHoldsAPathCounts() {
        let mounts = MountedKinds(
            mountinfo: """
                22 1 8:1 / / rw - ext4 /dev/sda1 rw
                23 22 0:40 / /home rw shared:1 - btrfs /dev/sdb rw
                24 23 0:41 / /home/maria/My\\040Cloud rw - fuse.acmefs acme rw
                25 22 0:42 / /home rw - nfs4 server:/home rw
                broken line
                """)
        #expect(mounts.kind(of: "/srv/x") == "ext4")
        #expect(mounts.kind(of: "/home/maria") == "nfs4")
        #expect(mounts.kind(of: "/homes") == "ext4")
        #expect(mounts.kind(of: "/home/maria/My Cloud/x") == "fuse (other)")
        #expect(MountedKinds(mountinfo: "").kind(of: "/") == "unknown")
    }

    @Test func onlyLinesOfOurServicesAreRead() throws {
        func line(_ json: String) -> JournalLine? { JournalLine(json: Array(json.utf8)) }
        let worker = try #require(
            line(
                """
                {"MESSAGE":"x","PRIORITY":"3","_SYSTEMD_USER_UNIT":"roundel-worker.service","__REALTIME_TIMESTAMP":"1"}
                """))
        #expect(worker.program == "roundel-worker" && worker.priority == "error" && worker.message == "x")
        #expect(worker.moment == "1970-01-01T00:00:00Z")
        let mount = line(#"{"MESSAGE":"x","_SYSTEMD_USER_UNIT":"roundel-mount@maria.service"}"#)
        #expect(mount?.program == "roundel-mount" && mount?.priority == "unknown")
        #expect(line(#"{"MESSAGE":"x","_SYSTEMD_USER_UNIT":"acme.service"}"#) == nil)
        // What is no text comes as a list of bytes.
        #expect(line(#"{"MESSAGE":[1,2],"_SYSTEMD_USER_UNIT":"roundeld.service"}"#) == nil)
        #expect(line("{") == nil)
    }

    @Test func rclonesRemotesAreReadByName() {
        #expect(
            RcloneKinds.read("drive:   drive\nmy box: dropbox\nbroken\n") == ["drive": "drive", "my box": "dropbox"])
    }

    @Test func findingsHaveNoPathsAndNames() throws {
        let folder = SyncFolderStatus(id: "1", uri: "file:///home/maria/Taxes", state: .error)
        let facts: [Finding.Fact] = [
            .folderFailed(folder), .folderMissing(folder), .folderGood(folder), .folderNeeds(folder),
            .unwatchable(try ItemURI("file:///home/maria/Taxes")), .emblemsFound("/home/maria/.local"),
            .workerKept(.programMissing("/home/maria/bin")),
        ]
        for fact in facts {
            let checked = Finding(.folders, .good, fact).checked
            #expect(!checked.fact.contains("maria") && checked.reason == nil)
        }
    }
}
