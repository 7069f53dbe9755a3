internal import CGtk4
internal import RoundelBus

/// The desktop's dialog in which a person chooses a directory, also a new one, a file, or the name of a file to be written.
@Interface
final class FileChooser {
    /// What is chosen.
    enum Purpose {
        case directory
        case file
        /// A file, for which a name is proposed; the dialog asks before one is replaced.
        case newFile(name: String)
    }

    private let dialog: ObjectReference

    /// Shows the dialog, which stays as long as this object does.
    /// - Parameters:
    ///   - accept: The words on the button that chooses.
    ///   - chosen: Called with the choice; not at all if the person cancels.
    init(
        over window: Widget, _ title: String, _ accept: String, _ purpose: Purpose = .directory,
        _ chosen: @escaping @Interface (ItemURI) -> Void
    ) {
        let action =
            switch purpose {
            case .directory: GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER
            case .file: GTK_FILE_CHOOSER_ACTION_OPEN
            case .newFile: GTK_FILE_CHOOSER_ACTION_SAVE
            }
        let native = gtk_file_chooser_native_new(title, window.typed(), action, accept, nil)
        guard let native else { fatalError("no memory for a dialog") }
        dialog = ObjectReference(owned: UnsafeMutableRawPointer(native))
        gtk_native_dialog_set_modal(dialog.typed(), 1)
        let chooser = dialog.opaque
        if case .newFile(let name) = purpose { gtk_file_chooser_set_current_name(chooser, name) }
        connect(dialog.raw, "response") { arguments in
            guard arguments.int(0) == GTK_RESPONSE_ACCEPT.rawValue, let file = gtk_file_chooser_get_file(chooser) else {
                return false
            }
            defer { g_object_unref(UnsafeMutableRawPointer(file)) }
            guard let uri = g_file_get_uri(file) else { return false }
            defer { g_free(uri) }
            if let item = try? ItemURI(String(cString: uri)) { chosen(item) }
            return false
        }
        gtk_native_dialog_show(dialog.typed())
    }
}
