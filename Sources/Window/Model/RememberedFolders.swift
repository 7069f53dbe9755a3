package import Client
internal import RoundelBus
internal import Support
package import SystemPackage

/// What the window showed last, which it shows at once when it opens, until the services have answered.
package struct RememberedFolders: Sendable {
    private let file: FilePath

    /// More is no file of ours.
    private static let mostBytes = 1 << 20

    /// - Parameter state: The directory for state of the user's programs.
    package init(state: FilePath) {
        file = state.appending("\(Names.stateFolder)/window/folders.json")
    }

    /// What was remembered; nil for nothing, or if it cannot be read.
    package func read() -> Knowledge? {
        guard let bytes = (try? SmallFile.read(file, limit: Self.mostBytes)).flatMap(\.self) else { return nil }
        return JSON(parsing: bytes).flatMap { Self.knowledge($0) }
    }

    /// Remembers a report.
    /// - Parameter moment: The current moment, in microseconds since 1970.
    /// - Throws: The error of the system.
    package func write(_ report: StatusReport, at moment: Int64) throws {
        try SmallFile.replace(file, with: Array(Self.json(report, at: moment).text.utf8))
    }

    static func json(_ report: StatusReport, at moment: Int64) -> JSON {
        .object([
            .init("time", .number(moment)),
            .init(
                "folders",
                .array(
                    report.folders.map { folder in
                        let details = folder.details
                        return .object([
                            .init("uri", .string(folder.uri.uri)), .init("state", .string(folder.state.word)),
                            .init("text", .string(folder.text)), .init("label", .optional(details?.label, JSON.string)),
                            .init("remote", .optional(details?.remote, JSON.string)),
                            .init("needs", .optional(details?.needs?.text, JSON.string)),
                            .init("deletions", .optional(details?.pendingDeletes, JSON.number)),
                        ])
                    })),
        ])
    }

    static func knowledge(_ json: JSON) -> Knowledge? {
        guard let time = json["time"].integer else { return nil }
        return Knowledge(StatusReport(json["folders"].values.compactMap { summary($0) }), .remembered(time))
    }

    private static func summary(_ folder: JSON) -> FolderSummary? {
        guard let text = folder["uri"].string, let uri = try? ItemURI(text), let state = folder["state"].string else {
            return nil
        }
        let sentence = folder["text"].string ?? ""
        // Of a folder that an engine manages, its name is known.
        guard let label = folder["label"].string else {
            return FolderSummary(uri: uri, FolderStatus(state: folderState(state), text: sentence))
        }
        var status = SyncFolderStatus(id: "", uri: text, state: Badge(state))
        (status.text, status.label, status.remote) = (sentence, label, folder["remote"].string ?? "")
        status.needs = folder["needs"].string.map { WireWord(text: $0) }
        status.pendingDeletes = folder["deletions"] == .null ? nil : folder["deletions"].count
        return FolderSummary(status)
    }

    private static func folderState(_ word: String) -> FolderState {
        if word == FolderSummary.State.attention.word { return .attention }
        switch CommonBadge(Badge(word)) {
        case .synced, .onlineOnly, .excluded: return .idle
        case .pending, .syncing: return .syncing
        case .conflict: return .attention
        case .error: return .error
        case .paused: return .paused
        case nil: return .unknown
        }
    }
}
