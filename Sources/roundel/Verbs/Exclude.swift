import ArgumentParser
import RoundelBus
import Support

struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude", abstract: Help.Exclude.abstract,
        discussion: Help.Exclude.discussion)

    @Argument(help: ArgumentHelp(Help.Exclude.path, valueName: "path"), completion: .file())
    var path: String

    @Argument(help: ArgumentHelp(Help.Exclude.patterns, valueName: "pattern"))
    var patterns: [String] = []

    @Flag(help: ArgumentHelp(Help.Exclude.remove))
    var remove = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if remove, patterns.isEmpty { throw ValidationError(Text.removeNeedsPattern) }
        if patterns.contains(where: { $0.hasPrefix("file:///") }) {
            throw ValidationError(Text.patternIsURI)
        }
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path).text
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        if remove {
            try await worker.removeExcludes(patterns, from: folder)
        } else if !patterns.isEmpty {
            try await worker.addExcludes(patterns, to: folder)
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
