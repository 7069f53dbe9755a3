internal import DBus
internal import Remotes
internal import RoundelBus
internal import Support

/// The arguments of AddFolder, checked as far as possible without disk access.
struct NewFolder {
    let uri: ItemURI
    let remote: any RemotePlace
    /// Whether syncing starts immediately; otherwise, a following call of Sync starts it.
    let starts: Bool
    /// Whether files of the remote come without their contents.
    let isOnDemand: Bool
    /// The ID of the new folder.
    let id = NewFolder.newID()
    /// What was chosen if items are only uploaded; nil if they are not.
    let uploadOnly: UploadOnlySettings?
    private let remoteText: String
    /// The name shown to the user.
    let label: String
    /// Whether its directory and that of the remote are made where they are missing.
    let creates: Bool
    /// The patterns of what was chosen of the remote, then those that a caller gave.
    let excludes: [String]

    /// - Throws: `InvalidUri`, `InvalidRemote`, `UnsupportedRemote`, `Unsupported`, `InvalidPattern`, `LimitExceeded`.
    init(_ folder: String, remote text: String, _ options: VariantMap, _ kinds: RemoteKinds) throws(WorkerError) {
        uri = try ItemURI(folder: folder)
        isOnDemand = options.bool("on-demand") ?? false
        uploadOnly = try Self.uploadOnly(options)
        remote = try kinds.place(text)
        remoteText = text
        let patterns = options.strings("excludes") ?? []
        try FolderSettings.requirePatterns(patterns)
        excludes = try ChosenDirectories(options.strings("only") ?? []).patterns + patterns
        creates = options.bool("create") ?? false
        let label = options.string("label") ?? ""
        self.label = label.isEmpty ? uri.label : label
        starts = options.bool("start") ?? true
    }

    /// The settings of the new folder.
    ///
    /// - Parameters:
    ///   - added: The current time, in microseconds since 1970.
    ///   - findings: What was found out about its remote.
    ///   - contents: Where its contents are kept; nil for an ordinary folder.
    func settings(added: Int64, findings: RemoteFindings, contents: ItemURI?) -> FolderSettings {
        FolderSettings(
            id: id, uri: uri.uri, remote: remoteText, label: label, excludes: excludes, added: added,
            traits: findings.traits, server: findings.identity,
            onDemand: contents.map { OnDemandSettings(contents: $0.uri, step: .turningOn) },
            uploadOnly: uploadOnly)
    }

    private static func uploadOnly(_ options: VariantMap) throws(WorkerError) -> UploadOnlySettings? {
        let trashes = options.bool("trash-uploaded") ?? false
        guard options.bool("upload-only") == true else {
            if trashes {
                throw WorkerError(
                    .unsupported, tr("Files go to the trash after their upload only in an upload-only folder."))
            }
            return nil
        }
        if options.bool("on-demand") == true {
            throw WorkerError.downloadsNothing
        }
        return UploadOnlySettings(trashesUploaded: trashes)
    }

    private static func newID() -> String {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        return "f" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension ItemURI {
    /// Parses the URI of a folder from a caller.
    /// - Throws: `InvalidUri`.
    init(folder text: String) throws(WorkerError) {
        do {
            self = try ItemURI(text)
        } catch {
            throw WorkerError(.invalidURI, tr("“{1}” is not the URI of a folder: {2}.", text, error.reason))
        }
    }
}

extension WorkerError {
    /// The answer to a call that wants an upload-only folder to be on demand.
    static var downloadsNothing: WorkerError {
        WorkerError(.unsupported, tr("An upload-only folder downloads nothing, so it cannot be on demand."))
    }
}
