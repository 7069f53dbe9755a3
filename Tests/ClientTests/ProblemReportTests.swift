import Client
import RoundelBus
import Setup
import Testing

/// The text that goes into a bug report.
@Suite struct ProblemReportTests {
    private let system = SystemFacts(
        distribution: "debian 12", kernel: "6.1.0 x86_64", desktop: "GNOME (wayland)", fileManagers: ["nautilus 43.2"])

    @Test("A report has the facts, and of sentences our own words alone")
    func text() {
        var folder = FolderFactsRow(remote: "WebDAV", fileSystem: "ext4", state: .error)
        (folder.isOnDemand, folder.hasUploadLimit, folder.periods) = (true, true, 2)
        (folder.counts, folder.need) = ([.error: 3, "acme.secretbadge": 1], .login)
        folder.message = "“Taxes” on cloud.example.org: Permission denied"
        let report = ProblemReport(
            release: "1.2", system: system, folders: [folder],
            checks: [
                CheckedFact(subject: "bus", verdict: "good", fact: "answers"),
                CheckedFact(
                    subject: "worker", verdict: "problem", fact: "does not answer", reason: "Maria: Permission denied"),
            ],
            log: [
                JournalLine(
                    moment: "2026-11-28T10:00:00Z", program: "roundel-worker", priority: "error",
                    message: "roundel-worker: /home/maria: Permission denied")
            ])
        #expect(
            report.text() == """
                Roundel 1.2
                Distribution: debian 12
                Kernel: 6.1.0 x86_64
                Desktop: GNOME (wayland)
                File managers: nautilus 43.2

                Folders: 1
                - WebDAV, on ext4, error, on demand, upload limit, hours with limits: 2, error: 3, needs: login
                  <address>: Permission denied

                Checks:
                - good bus: answers
                - problem worker: does not answer (<name>: Permission denied)

                Log:
                2026-11-28T10:00:00Z roundel-worker error: <path>: Permission denied

                """)
    }

    @Test("What is not known is said to be so")
    func unknown() {
        let text = ProblemReport(release: "1", system: system, folders: nil, checks: [], log: nil).text()
        #expect(text.contains("Folders: not known") && text.contains("(the journal cannot be read)"))
    }

    @Test(
        "Of a remote its kind is told alone",
        arguments: [
            ("/srv/maria", "directory"), ("file:///srv/maria", "directory"),
            ("webdav+https://maria@example.org/x", "WebDAV"),
            ("webdav+https://maria@example.org/remote.php/dav/files/maria/", "Nextcloud or ownCloud"),
            ("rclone:marias-drive:x", "rclone drive"), ("rclone:other:x", "rclone (backend unknown)"),
            ("rclone:evil:x", "rclone (backend unknown)"), ("maria", "other"),
        ])
    func remotes(remote: String, kind: String) {
        let found = FolderFactsRow.kind(ofRemote: remote) { ["marias-drive": "drive", "evil": "Maria Müller"][$0] }
        #expect(found == kind)
    }
}
