internal import CGtk4
internal import Glibc
internal import Support
internal import SystemPackage

/// Widgets from a file in GtkBuilder's form, with its texts in the language of the session.
@Interface
struct Blueprint {
    private let builder: ObjectReference
    private let name: String

    /// Where the files are: below the directory in which this program is installed.
    static let directory: FilePath = installation.appending("share/roundel/window")

    /// `PREFIX` for a program that is `PREFIX/bin/NAME`.
    static let installation: FilePath = {
        guard let program = realpath("/proc/self/exe", nil) else { return "/usr" }
        defer { free(program) }
        return FilePath(platformString: program).removingLastComponent().removingLastComponent()
    }()

    /// - Parameter name: The file's name without its suffix.
    init(_ name: String) {
        self.name = name
        guard let builder = gtk_builder_new() else { fatalError("no memory for \(name)") }
        self.builder = ObjectReference(owned: UnsafeMutableRawPointer(builder))
        gtk_builder_set_translation_domain(builder, "roundel")
        var error: UnsafeMutablePointer<GError>?
        let file = Self.directory.appending("\(name).ui").string
        guard gtk_builder_add_from_file(builder, file, &error) != 0 else {
            let reason = error.map { String(cString: $0.pointee.message) } ?? "unknown"
            log(.error, "\(file) cannot be used: \(reason)")
            exit(EXIT_FAILURE)
        }
    }

    /// The object with an ID, which the file must have.
    func pointer(_ id: String) -> UnsafeMutableRawPointer {
        guard let object = gtk_builder_get_object(builder.opaque, id) else {
            fatalError("\(name).ui has no \(id)")
        }
        return UnsafeMutableRawPointer(object)
    }

    /// The widget with an ID.
    func widget<Kind: Widget>(_ id: String, as kind: Kind.Type = Kind.self) -> Kind { Kind(pointer(id)) }
}
