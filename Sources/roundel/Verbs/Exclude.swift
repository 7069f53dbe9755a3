import ArgumentParser
import Client
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
        let folder = try ItemArgument.parse(path)
        let known = try await Engines(bus: try await Bus.open()).ask(ownerOf: folder.uri) { (engine: FoldersProxy) in
            if remove {
                try await engine.removeExcludes(patterns, from: folder.text)
            } else if !patterns.isEmpty {
                try await engine.addExcludes(patterns, to: folder.text)
            }
            return output.json || patterns.isEmpty ? try await engine.listExcludes(folder.text) : nil
        }
        guard let (own, bundled) = known else { return }
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
