import ArgumentParser
import Client
import RoundelBus
import Support

struct ExcludeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude", abstract: tr("Leave out of a folder what matches a pattern."),
        discussion: tr(
            """
            Patterns are those of gitignore(5): the last one that matches decides, and one that begins with ! takes \
            a match back. What is below an excluded directory stays excluded. The bundled patterns (files that \
            programs write for themselves) come before the folder's own, so '!*.tmp' syncs files that one of them \
            excludes; only Roundel's own .roundel is never synced. Without a pattern all are listed, in the order in \
            which they are tried.
            """))

    @Argument(help: ArgumentHelp(tr("The synced folder."), valueName: "path"), completion: .file())
    var path: String

    @Argument(help: ArgumentHelp(tr("Patterns."), valueName: "pattern"))
    var patterns: [String] = []

    @Flag(help: ArgumentHelp(tr("Remove the patterns.")))
    var remove = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if remove, patterns.isEmpty { throw ValidationError(tr("--remove needs a pattern.")) }
        if patterns.contains(where: { $0.hasPrefix("file:///") }) {
            throw ValidationError(tr("A pattern is no URI: write a path below the folder, such as /Music/*.flac."))
        }
    }

    /// What was done with a pattern.
    private static func done(removes: Bool) -> (String) -> String {
        { pattern in
            DisplayText.escaped(
                removes
                    ? tr("“{1}” is no longer excluded by this pattern.", pattern)
                    : tr("What matches “{1}” is not synced any more.", pattern))
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
        let console = Console()
        guard let (own, bundled) = known else { return console.print(lines: patterns.map(Self.done(removes: remove))) }
        if output.json {
            console.print(.object([.init("patterns", .strings(own)), .init("bundled", .strings(bundled))]))
        } else {
            let terminal = console.terminal
            console.print(
                lines: bundled.map {
                    Style.dim.apply(to: tr("{1}  (bundled)", DisplayText.escaped($0)), on: terminal)
                })
            console.print(lines: own.map(DisplayText.escaped))
        }
    }
}
