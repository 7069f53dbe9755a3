/// A file manager that Roundel has a plugin for.
struct SupportedFileManager: Sendable, Equatable {
    /// One library of ours that it has to load.
    struct Library: Sendable, Equatable {
        let file: String
        /// For plugins of Qt, the directory below Qt's own; "" for the others.
        var below = ""
    }

    /// Where it looks for plugins.
    enum Lookup: Sendable, Equatable {
        /// In a directory whose path is compiled into the program, or into a library of this name, and ends like this.
        case compiledIn(ending: String, library: String?)
        /// In the plugin directory of the Qt that it is linked with.
        case qt
    }

    /// The name of its program, which is its name on the command line and in JSON, too.
    let program: String
    /// Its name for a person.
    let name: String
    let lookup: Lookup
    let libraries: [Library]
    /// The variable with further directories, where it honours one.
    var variable: String?
    /// What ends its process, where closing the windows does not.
    var quit: String?

    static let all: [SupportedFileManager] = [
        SupportedFileManager(
            program: "nautilus", name: "Files (Nautilus)",
            lookup: .compiledIn(ending: "/nautilus/extensions-4", library: nil),
            libraries: [Library(file: "libroundel-nautilus.so")], quit: "nautilus -q"),
        SupportedFileManager(
            program: "nemo", name: "Nemo", lookup: .compiledIn(ending: "/nemo/extensions-3.0", library: nil),
            libraries: [Library(file: "libroundel-nemo.so")], quit: "nemo -q"),
        SupportedFileManager(
            program: "caja", name: "Caja", lookup: .compiledIn(ending: "/caja/extensions-2.0", library: nil),
            libraries: [Library(file: "libroundel-caja.so")], variable: "CAJA_EXTENSION_DIRS", quit: "caja -q"),
        SupportedFileManager(
            program: "dolphin", name: "Dolphin", lookup: .qt,
            libraries: [
                Library(file: "roundeloverlay.so", below: "overlayicon"),
                Library(file: "roundelitemaction.so", below: "kfileitemaction"),
            ], variable: "QT_PLUGIN_PATH"),
        SupportedFileManager(
            program: "thunar", name: "Thunar", lookup: .compiledIn(ending: "/thunarx-3", library: "libthunarx-3.so.0"),
            libraries: [Library(file: "libroundel-thunar.so")], quit: "thunar -q"),
    ]

    /// The file managers that report to nobody what they show, so that a helper writes emblems for them: each its program
    /// and its name.
    static let withoutEmblems = [("thunar", "Thunar"), ("pcmanfm-qt", "PCManFM-Qt")]
}
