import RoundelBus

/// What the user must do before a folder can continue, in words.
enum Needs {
    /// A sentence with the command to use; nil if nothing is needed.
    static func advice(_ status: SyncFolderStatus) -> String? {
        status.needs.map { sentence($0, uri: status.uri, pendingDeletes: status.pendingDeletes) }
    }

    /// - Parameter uri: The folder; "" if it is not known which one.
    static func sentence(_ need: WireWord<FolderNeed>, uri: String, pendingDeletes: UInt64?) -> String {
        guard let known = need.known else { return Text.unknownNeed(DisplayText.escaped(need.text)) }
        return Text.advice(known, uri.isEmpty ? nil : WorkerPath.shellWord(uri), deletions: pendingDeletes)
    }
}
