package import Support

/// The program that wants contents.
package struct FetchCaller: Hashable, Sendable {
    /// The thread that waits, and its process; 0 if they are in a container of which nothing is seen here.
    package var thread: Int32
    package var process: Int32
    /// How the thread is called; empty if it is not known.
    package var threadName: String
    /// The path of its program, or its name; empty if it is not known.
    package var executable: [UInt8]
    /// Its arguments, as far as they were asked for.
    package var arguments: [[UInt8]]
    /// The processes that started it: its parent, and those above as long as they are sandboxes.
    package var ancestors: [Int32]
    /// Whether it wants no trace of its look (O_NOATIME).
    package var leavesNoTrace: Bool

    package init(
        thread: Int32, process: Int32, threadName: String = "", executable: [UInt8] = [], arguments: [[UInt8]] = [],
        ancestors: [Int32] = [],
        leavesNoTrace: Bool = false
    ) {
        self.thread = thread
        self.process = process
        self.threadName = threadName
        self.executable = executable
        self.arguments = arguments
        self.ancestors = ancestors
        self.leavesNoTrace = leavesNoTrace
    }

    /// The name of the program without its directory.
    package var program: String {
        String(decoding: executable.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    }
}

/// Who gets contents fetched: programs that people use, not those that look at whatever is shown.
///
/// It is no protection against anybody; a folder that is looked at must not be downloaded.
package struct FetchPolicy: Sendable {
    /// Programs that read every file that they hear of, by name.
    private static let indexers: Set<String> = [
        "baloo_file", "baloo_file_extractor", "localsearch-3", "localsearch-extractor-3", "tracker-extract",
        "tracker-extract-3", "tracker-miner-fs", "tracker-miner-fs-3", "updatedb", "updatedb.plocate",
    ]
    /// Programs that draw what files look like, besides those that are named so.
    private static let thumbnailers: Set<String> = ["tumblerd", "glycin-image-rs"]
    /// Programs whose first argument says what they are.
    private static let interpreters: Set<String> = ["bash", "dash", "perl", "ruby", "sh"]

    /// Programs that draw a file themselves, at once, when their thumbnailer could not: by the same calls as they copy it.
    private static let drawers: Set<String> = ["nemo", "nemo-desktop"]

    private static let pcmanfm = "pcmanfm-qt"

    private struct Suspicion: Hashable {
        let process: Int32
        let node: NodeNumber
    }

    /// Who may be about to draw what, because a thumbnailer of it was refused, and until when: once.
    private var suspicions: [Suspicion: Instant] = [:]

    package init() {}

    /// Whether the arguments of a program decide. They are its memory, which is not read without a reason.
    package static func needsArguments(_ program: String) -> Bool {
        isInterpreter(program) || hasPlugins(program)
    }

    /// Whether it decides if the item is one that may be run.
    package static func needsPermissions(_ caller: FetchCaller) -> Bool {
        caller.program == pcmanfm && caller.thread == caller.process
    }

    /// Whether the contents of an item are to be fetched for this program.
    package mutating func permits(
        _ caller: FetchCaller, of node: NodeNumber, isRunnable: Bool = false, now: Instant
    ) -> Bool {
        suspicions = suspicions.filter { $0.value > now }
        // GLib looks so at what tells the type of a file.
        if caller.leavesNoTrace || Self.indexers.contains(caller.program) || isDolphinItself(caller) { return false }
        if isPreview(caller) { return false }
        // PCManFM-Qt 2 reads how a script begins whenever it draws it. What else it reads there, it was told to, like the
        // picture behind the desktop.
        if isRunnable && Self.needsPermissions(caller) { return false }
        if Self.isThumbnailer(caller) {
            for process in caller.ancestors where process > 1 {
                suspicions[Suspicion(process: process, node: node)] = now + Patience.Mount.suspicion
            }
            return false
        }
        guard Self.drawers.contains(caller.program) else { return true }
        return suspicions.removeValue(forKey: Suspicion(process: caller.process, node: node)) == nil
    }

    /// Dolphin opens files for people in other threads and programs.
    private func isDolphinItself(_ caller: FetchCaller) -> Bool {
        caller.program == "dolphin" && caller.thread == caller.process
    }

    /// PCManFM-Qt draws in such threads of its own, and copies in others.
    private func isPreview(_ caller: FetchCaller) -> Bool {
        caller.program == Self.pcmanfm && caller.threadName == "Thread (pooled)"
    }

    private static func isThumbnailer(_ caller: FetchCaller) -> Bool {
        let program = caller.program
        if thumbnailers.contains(program) || program.contains("thumbnail") { return true }
        func says(_ argument: [UInt8]) -> Bool { String(decoding: argument, as: UTF8.self).contains("thumbnail") }
        if hasPlugins(program) { return caller.arguments.contains(where: says) }
        // The script, not what it works on.
        if isInterpreter(program) {
            return caller.arguments.dropFirst().first { $0.first != UInt8(ascii: "-") }
                .map { says(Array($0.split(separator: UInt8(ascii: "/")).last ?? [])) } ?? false
        }
        return false
    }

    private static func isInterpreter(_ program: String) -> Bool {
        interpreters.contains(program) || program.hasPrefix("python")
    }

    /// KDE's programs for everything that their arguments name.
    private static func hasPlugins(_ program: String) -> Bool { program.hasPrefix("kio") }
}
