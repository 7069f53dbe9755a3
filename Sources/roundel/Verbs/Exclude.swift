import ArgumentParser
import RoundelBus

struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude", abstract: "Leave out of a folder what matches a pattern.",
        discussion: """
            Patterns are those of gitignore(5): the last one that matches decides, and one that begins with ! takes a \
            match back. What is below an excluded directory stays excluded. The bundled patterns (files that programs \
            write for themselves) come before the folder's own, so '!*.tmp' syncs files that one of them excludes; \
            only Roundel's own .roundel is never synced. Without a pattern all are listed, in the order in which they \
            are tried. \
            With --json: {"patterns":[…],"bundled":[…]}, as they are afterwards.
            """)

    @Argument(help: ArgumentHelp("The synced folder.", valueName: "path"))
    var path: String

    @Argument(help: ArgumentHelp("Patterns.", valueName: "pattern"))
    var patterns: [String] = []

    @Flag(help: "Take the patterns away again.")
    var remove = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if remove, patterns.isEmpty { throw ValidationError("--remove needs a pattern.") }
        if patterns.contains(where: { $0.hasPrefix("file:///") }) {
            throw ValidationError("A pattern is no URI: write a path below the folder, such as /Music/*.flac.")
        }
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path).text
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        if remove {
            try await worker.removeExcludes(folder, patterns)
        } else if !patterns.isEmpty {
            try await worker.addExcludes(folder, patterns)
        }
        guard output.json || patterns.isEmpty else { return }
        let (own, bundled) = try await worker.listExcludes(folder)
        let console = Console()
        if output.json {
            console.print(.object([.init("patterns", .strings(own)), .init("bundled", .strings(bundled))]))
        } else {
            let terminal = console.terminal
            console.print(
                lines: bundled.map { Style.dim.apply(to: DisplayText.escaped($0) + "  (bundled)", on: terminal) })
            console.print(lines: own.map(DisplayText.escaped))
        }
    }
}
