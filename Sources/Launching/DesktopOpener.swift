package import DBus
internal import Glibc
package import RoundelBus
internal import Support

/// Shows folders and items in the user's file manager, with a token so that its window can take the focus: over the bus
/// (org.freedesktop.FileManager1), or, if no file manager is on the bus, with the program of xdg-utils. That also opens
/// pages in the browser.
///
/// A window that a program opens without a token stays behind the others. With the token of the click that caused it
/// (Wayland), or at least its time (X11), it comes to the front.
package final class DesktopOpener {
    /// Called when the folder is shown, or with an error that says why not.
    package typealias Finish = (Result<Void, RoundelError>) -> Void

    private let bus: Connection
    private let launcher: ProgramLauncher
    /// The name of the calling program, for X11's startup IDs.
    private let name: String
    private var startupCount = 0
    private var open = 0

    private static let fileManager = "org.freedesktop.FileManager1"
    private static let fileManagerPath: ObjectPath = "/org/freedesktop/FileManager1"
    /// The program of xdg-utils that opens what a file manager on the bus does not.
    private static let program = "xdg-open"
    /// The maximum number of unanswered calls, because the bus reserves a place for each answer.
    private static let mostOpen = 16

    /// - Parameter name: The name of the calling program.
    package init(bus: Connection, name: String) {
        self.bus = bus
        self.name = name
        launcher = ProgramLauncher(bus: bus)
    }

    /// Opens folders. Only the file manager accesses them, not this process.
    package func open(_ folders: [String], _ options: ActivationOptions, _ finished: @escaping Finish) {
        call("ShowFolders", folders, options, fallback: folders, finished)
    }

    /// Opens the folders that contain these items and selects the items.
    package func show(_ items: [String], _ options: ActivationOptions, _ finished: @escaping Finish) {
        let folders = items.compactMap { (try? ItemURI($0))?.parent?.uri }
        call("ShowItems", items, options, fallback: folders, finished)
    }

    /// Opens a page in the user's browser.
    ///
    /// - Parameter page: An address with `https://` or `http://`, without spaces.
    package func open(page: String, _ options: ActivationOptions, _ finished: @escaping Finish) {
        launcher.start([Self.program, page], startup: startupID(options)) { outcome in
            switch outcome {
            case .handedOver, .ended(0): finished(.success(()))
            case .ended: finished(Self.failure(tr("{1} found no browser. The page is {2}", Self.program, page)))
            case .failed(let reason):
                finished(Self.failure(tr("No browser could be opened. {1} The page is {2}", reason, page)))
            }
        }
    }

    /// Shows something in Roundel's window, which the bus starts where it is installed (D-Bus activation of the Desktop
    /// Entry Specification).
    ///
    /// - Parameters:
    ///   - view: What to show; nil for what the window shows at its start.
    ///   - subject: What of it: the URI of a folder or an item, or the id of a provider; "" for all.
    ///   - finished: Called with whether there is such a window; false if it is not installed or cannot be started.
    package func showWindow(
        _ view: WindowView?, of subject: String = "", _ options: ActivationOptions,
        _ finished: @escaping (_ isShown: Bool) -> Void
    ) {
        let startup = startupID(options)
        let platform: VariantMap = ["activation-token": .string(startup), "desktop-startup-id": .string(startup)]
        bus.call(
            Names.window, Names.windowPath, "org.freedesktop.Application", view == nil ? "Activate" : "ActivateAction",
            { writer in
                if let view {
                    try writer.append(view.rawValue)
                    try writer.append(value: .array(element: "v", [.variant(.string(subject))]))
                }
                try writer.append(map: startup.isEmpty ? [:] : platform)
            }
        ) { result in
            switch result {
            case .success: finished(true)
            case .failure(let error):
                // If it is only slow, it may still show itself.
                finished(error.standard == .noReply)
            }
        }
    }

    /// Starts a program with these arguments.
    package func run(_ words: [String], _ options: ActivationOptions, _ finished: @escaping Finish) {
        launcher.start(words, startup: startupID(options)) { outcome in
            switch outcome {
            case .handedOver, .ended(0): finished(.success(()))
            case .ended(let status):
                finished(Self.failure(tr("{1} ended with status {2}.", words.first ?? "", "\(status)")))
            case .failed(let reason): finished(Self.failure(reason))
            }
        }
    }

    private func call(
        _ method: String, _ uris: [String], _ options: ActivationOptions, fallback folders: [String],
        _ finished: @escaping Finish
    ) {
        guard open < Self.mostOpen else {
            return finished(
                Self.failure(tr("The file manager has not answered {1} requests before this one.", "\(open)")))
        }
        open += 1
        let finished: Finish = { [weak self] result in
            self?.open -= 1
            finished(result)
        }
        let startup = startupID(options)
        bus.call(
            Self.fileManager, Self.fileManagerPath, Self.fileManager, method,
            { writer in
                try writer.append(strings: uris)
                try writer.append(startup)
            }
        ) { [weak self] result in
            switch result {
            case .success: finished(.success(()))
            case .failure(let error):
                // If the file manager is only slow, it may still open its window; a second one would be a nuisance.
                guard let self, let folder = folders.first, error.standard != .noReply else {
                    return finished(Self.failure(tr("No file manager could be opened: {1}", error.message)))
                }
                runProgram(folder, startup: startup, finished)
            }
        }
    }

    private func runProgram(_ folder: String, startup: String, _ finished: @escaping Finish) {
        launcher.start([Self.program, folder], startup: startup) { outcome in
            switch outcome {
            case .handedOver, .ended(0): finished(.success(()))
            case .ended: finished(Self.failure(tr("{1} found no program that shows folders.", Self.program)))
            case .failed(let reason):
                finished(
                    Self.failure(tr("There is no file manager on the bus. {1} Install a file manager.", reason)))
            }
        }
    }

    private static func failure(_ sentence: String) -> Result<Void, RoundelError> {
        .failure(RoundelError(.providerFailed, sentence))
    }

    /// The token of the click; for X11, a new one that contains the time of the click (Startup Notification
    /// Specification).
    private func startupID(_ options: ActivationOptions) -> String {
        if let token = options.activationToken, !token.isEmpty { return token }
        guard let time = options.timestamp, time != 0 else { return "" }
        startupCount &+= 1
        return "\(name)-\(getpid())-\(startupCount)_TIME\(time)"
    }
}
