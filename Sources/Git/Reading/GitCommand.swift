internal import Glibc
package import RoundelBus
internal import Support

/// Runs git in a work tree, without running anything that the repository names: see ``ForeignSettings``. All of it may
/// wait for a disk, and belongs on a thread of its own.
package struct GitCommand: Sendable {
    /// How a command ended.
    package struct Outcome: Sendable {
        /// Its exit status; nil if it was ended, because it took too long or printed too much.
        package let status: Int32?
        package let output: [UInt8]
        /// What it said last on its standard error.
        package let complaint: String

        package var isDone: Bool { status == 0 }

        /// What to tell a person of a command that did not do what it was for.
        package var problem: String {
            if status == nil { return tr("git took too long, and was ended.") }
            return complaint.isEmpty ? tr("git failed without a reason.") : complaint
        }
    }

    /// Where git is; nil if it is not installed.
    private let program: String?
    private let root: ItemURI
    /// nil if they cannot be read: then it is not known what the repository would start, and nothing is run.
    private let settings: ForeignSettings?

    /// The most that is read of what git prints, far more than the states of a million files.
    private static let mostOutput = 256 << 20

    /// How many times as long as a question an action may take: it may write every file of a work tree, and to end it
    /// leaves half of that.
    private static let actionPatience = 10

    /// Reads the settings of the work tree at this root.
    package init(in root: ItemURI) {
        self.root = root
        program = InstalledProgram.path(of: "git")
        let plain = GitCommand(root, program, ForeignSettings([UInt8]()))
        let list = plain.run(["config", "--list", "--show-scope", "-z"])
        settings = list.isDone ? ForeignSettings(list.output) : nil
    }

    private init(_ root: ItemURI, _ program: String?, _ settings: ForeignSettings) {
        (self.root, self.program, self.settings) = (root, program, settings)
    }

    /// Whether the repository has filters of its own, which are not run.
    package var hasOwnFilters: Bool { settings?.hasOwnFilters ?? false }

    /// Runs a command to its end.
    /// - Parameters:
    ///   - arguments: The command and its arguments, of any bytes.
    ///   - input: What it reads on its standard input.
    ///   - isAction: Whether it changes something, and may take longer.
    package func run(bytes arguments: [[UInt8]], input: [UInt8] = [], isAction: Bool = false) -> Outcome {
        guard let program else {
            return Outcome(status: 127, output: [], complaint: tr("{1} is not installed.", "git"))
        }
        guard let settings else {
            return Outcome(status: 128, output: [], complaint: tr("The repository's settings cannot be read."))
        }
        let words = [program, "--no-pager", "-C"].map { Array($0.utf8) } + [root.pathBytes] + arguments
        let child = CapturedProgram(words, variables: variables(settings), input: input)
        let patience = Patience.Engines.git * (isAction ? Self.actionPatience : 1)
        let end = child.finish(within: patience, most: Self.mostOutput)
        return Outcome(status: end.status, output: end.output, complaint: Self.lastLine(end.errors))
    }

    /// The same with arguments that are text.
    package func run(_ arguments: [String], input: [UInt8] = [], isAction: Bool = false) -> Outcome {
        run(bytes: arguments.map { Array($0.utf8) }, input: input, isAction: isAction)
    }

    /// The environment: the person's, without what would lead git elsewhere.
    private func variables(_ settings: ForeignSettings) -> [[UInt8]] {
        let inherited = CapturedProgram.inheritedVariables.filter { !$0.starts(with: Array("GIT_".utf8)) }
        var own = [
            "GIT_OPTIONAL_LOCKS=0", "GIT_LITERAL_PATHSPECS=1", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1",
            "GIT_ALLOW_PROTOCOL=none", "GIT_EDITOR=false", "GIT_ASKPASS=false",
        ].map { Array($0.utf8) }
        own.append(Array("GIT_WORK_TREE=".utf8) + root.pathBytes)
        own.append(Array("GIT_CEILING_DIRECTORIES=".utf8) + (root.parent?.pathBytes ?? []))
        let overrides = ForeignSettings.always + settings.overrides
        own.append(Array("GIT_CONFIG_COUNT=\(overrides.count)".utf8))
        for (index, setting) in overrides.enumerated() {
            own.append(Array("GIT_CONFIG_KEY_\(index)=".utf8) + setting.name)
            own.append(Array("GIT_CONFIG_VALUE_\(index)=".utf8) + setting.value)
        }
        return inherited + own
    }

    private static func lastLine(_ text: [UInt8]) -> String {
        let lines = text.split(separator: UInt8(ascii: "\n"))
        let line = lines.first { $0.starts(with: Array("fatal: ".utf8)) } ?? lines.last ?? []
        return DisplayText.decoding(line)
    }
}
