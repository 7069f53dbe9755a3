import RoundelBus
import Support

/// Words of an interface that have a label in the language of the session.
protocol LabelledWord {
    var label: String { get }
}

extension WireWord where Known: LabelledWord {
    /// The label on a terminal; elsewhere the word itself, which programs read.
    func text(on terminal: Terminal) -> String { terminal.isInteractive ? known?.label ?? text : text }
}

extension SyncActivity.Action: LabelledWord {
    var label: String {
        switch self {
        case .uploaded: tr("uploaded")
        case .downloaded: tr("downloaded")
        case .moved: tr("moved")
        // Translators: deleted on this computer; in a narrow column.
        case .deletedLocal: tr("deleted-local")
        // Translators: deleted on the remote; in a narrow column.
        case .deletedRemote: tr("deleted-remote")
        case .conflict: tr("conflict")
        case .permissions: tr("permissions")
        // Translators: a version that was replaced or deleted could not be kept; in a narrow column.
        case .notKept: tr("not-kept")
        // Translators: an item was copied to a place outside of the folder; in a narrow column.
        case .copiedOut: tr("copied-out")
        case .error: tr("error")
        }
    }
}

extension SyncRunResult.Step.Action: LabelledWord {
    var label: String {
        switch self {
        case .upload: tr("upload")
        case .download: tr("download")
        case .move: tr("move")
        // Translators: delete on this computer; in a narrow column.
        case .deleteLocal: tr("delete-local")
        // Translators: delete on the remote; in a narrow column.
        case .deleteRemote: tr("delete-remote")
        // Translators: create a directory on this computer; in a narrow column.
        case .makeLocal: tr("make-local")
        // Translators: create a directory on the remote; in a narrow column.
        case .makeRemote: tr("make-remote")
        case .conflict: tr("conflict")
        case .permissions: tr("permissions")
        }
    }
}

extension SyncTrashItem.Reason: LabelledWord {
    var label: String {
        switch self {
        case .deleted: tr("deleted")
        case .replaced: tr("replaced")
        }
    }
}
