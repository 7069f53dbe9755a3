internal import DBus
internal import RoundelBus
package import Setup
internal import Support

extension ProblemReport {
    /// Looks at this computer and asks the services.
    /// - Throws: ``SetupFailure`` if it cannot be determined where Roundel is installed.
    package static func gather() async throws(SetupFailure) -> ProblemReport {
        let findings = try await Doctor.examine()
        let bus = try? await AsyncConnection.open(.session)
        var folders: [FolderFactsRow]?
        if let bus { folders = await rows(bus) }
        return ProblemReport(
            release: roundelRelease, system: .ofThisComputer(), folders: folders, checks: findings.map(\.checked),
            log: JournalLine.last(logLines))
    }

    /// The number of lines of the log.
    private static let logLines = 100

    private static func rows(_ bus: AsyncConnection) async -> [FolderFactsRow]? {
        guard let status = try? await FoldersProxy(bus: bus).status("") else { return nil }
        let uses = (try? await NetworkProxy(bus: bus).networkUse("")) ?? []
        let mounts = MountedKinds.ofThisComputer()
        let remotes = status.folders.contains { $0.remote.hasPrefix("rclone:") } ? RcloneKinds.ofThisUser() : [:]
        return status.folders.map { folder in
            let path = (try? ItemURI(folder.uri))?.path ?? "/"
            var row = FolderFactsRow(
                remote: FolderFactsRow.kind(ofRemote: folder.remote) { remotes[$0] },
                fileSystem: mounts.kind(of: path), state: folder.state)
            row.isOnDemand = folder.isOnDemand
            row.counts = folder.counts
            row.need = folder.needs?.known
            row.message = folder.message
            if let use = uses.first(where: { $0.uri == folder.uri })?.use {
                row.hasUploadLimit = use.up > 0
                row.hasDownloadLimit = use.down > 0
                row.periods = use.periods.count
            }
            return row
        }
    }
}
