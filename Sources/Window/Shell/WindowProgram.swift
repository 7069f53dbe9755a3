internal import CGtk4
internal import Glibc
internal import RoundelBus
internal import Support
internal import SystemPackage

/// The window as a program.
package enum WindowProgram {
    /// Runs until the last window is closed; returns the exit status.
    package static func run(arguments: [String]) -> Int32 {
        if arguments.contains("--version") {
            print("roundel-window \(roundelRelease)")
            return EXIT_SUCCESS
        }
        // GLib's main loop is this thread's from the beginning, before it runs.
        g_main_context_acquire(nil)
        defer { g_main_context_release(nil) }
        return Interface.assumeIsolated { Application().run(arguments) }
    }
}

/// The application, of which there is one in a session: a second one hands over to the first what it was asked for.
@Interface
private final class Application {
    private var window: MainWindow?

    /// The keys of actions that are in no menu.
    private static let keys = [
        ("win.page::folders", "<Alt>1"), ("win.page::problems", "<Alt>2"), ("win.page::activity", "<Alt>3"),
        ("win.page::versions", "<Alt>4"), ("win.search", "<Primary>f"), ("window.close", "<Primary>w"),
    ]

    func run(_ arguments: [String]) -> Int32 {
        let catalogues = Blueprint.installation.appending("share/locale").string
        bindtextdomain("roundel", catalogues)
        bind_textdomain_codeset("roundel", "UTF-8")
        let flags = GApplicationFlags(rawValue: G_APPLICATION_HANDLES_OPEN.rawValue)
        guard let raw = adw_application_new(Names.window, flags) else { return EXIT_FAILURE }
        let application = ObjectReference(owned: UnsafeMutableRawPointer(raw))
        connect(application.raw, "activate") { [unowned self] _ in
            present(application.opaque)
            return false
        }
        connect(application.raw, "open") { [unowned self] arguments in
            present(application.opaque)
            if let uri = cgtk4_first_file(arguments.pointer(0)) {
                open(String(cString: uri))
                g_free(uri)
            }
            return false
        }
        for (action, key) in Self.keys { cgtk4_set_key(application.raw, action, key) }
        for view in WindowView.allCases {
            addAction(view.rawValue, application) { [unowned self] subject in
                present(application.opaque)
                window?.show(view, of: subject)
            }
        }
        var words = arguments.map { strdup($0) }
        defer { for word in words { free(word) } }
        return words.withUnsafeMutableBufferPointer { words in
            g_application_run(application.typed(), Int32(words.count), words.baseAddress)
        }
    }

    private func addAction(
        _ name: String, _ application: ObjectReference, _ handle: @escaping @Interface (String) -> Void
    ) {
        guard let action = g_simple_action_new(name, cgtk4_string_type()) else { return }
        let owned = ObjectReference(owned: UnsafeMutableRawPointer(action))
        connect(owned.raw, "activate") { arguments in
            arguments.stringVariant(0).map(handle)
            return false
        }
        g_action_map_add_action(application.opaque, action)
    }

    private func present(_ application: OpaquePointer) {
        if window == nil {
            let window = MainWindow(application)
            self.window = window
            window.window.on("close-request") { [weak self] in self?.window = nil }
            window.begin()
        }
        window?.present()
    }

    /// Shows a folder, or what is wrong with an item.
    private func open(_ uri: String) {
        guard let item = try? ItemURI(uri) else { return }
        window?.show(item)
    }
}
