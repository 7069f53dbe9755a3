/// A file manager for which Roundel has a plugin.
package struct SupportedFileManager: Sendable, Equatable {
    /// One of Roundel's libraries that it has to load.
    struct Library: Sendable, Equatable {
        let file: String
        /// For plugins of Qt, the directory below Qt's own; otherwise "".
        var below = ""
    }

    /// Where the file manager looks for plugins.
    enum Lookup: Sendable, Equatable {
        /// In a directory whose path is compiled into the program, or into a library with this name, and has this
        /// ending.
        case compiledIn(ending: String, library: String?)
        /// In the plugin directory of the Qt library that it is linked with.
        case qt
    }

    /// The name of its program, which is also used on the command line and in JSON.
    package let program: String
    /// Its display name.
    package let name: String
    let lookup: Lookup
    let libraries: [Library]
    /// The variable for further directories, if it has one.
    var variable: String?
    /// The command that ends its process, if closing the windows does not.
    package var quit: String?

    /// All of them.
    package static let all: [SupportedFileManager] = [
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
                Library(file: "roundelproperties.so", below: "propertiesdialog"),
            ], variable: "QT_PLUGIN_PATH"),
        SupportedFileManager(
            program: "thunar", name: "Thunar", lookup: .compiledIn(ending: "/thunarx-3", library: "libthunarx-3.so.0"),
            libraries: [Library(file: "libroundel-thunar.so")], quit: "thunar -q"),
    ]

    /// The programs and names of the file managers that do not report which directories they show, so that a helper
    /// writes emblems for them.
    static let withoutEmblems = [("thunar", "Thunar"), ("pcmanfm-qt", "PCManFM-Qt")]
}
