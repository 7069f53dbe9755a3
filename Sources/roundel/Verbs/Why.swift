import ArgumentParser
import Client
import RoundelBus
import Support

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: tr("Say why one item is in its state, what is here of it, and what to do."))

    @Argument(help: ArgumentHelp(tr("An item in a synced folder."), valueName: "path"), completion: .file())
    var path: String

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let item = try ItemArgument.parse(path).uri
        let facts = try await ItemFacts(of: item, engines: Engines(bus: try await Bus.open()))
        let console = Console()
        if output.json {
            console.print(
                .object(
                    JSON.item(item.uri) + [
                        .init("attributes", AttributeReport(facts.attributes).json),
                        .init("problems", .array(facts.problems.map(\.json))),
                    ]))
        } else {
            console.print(lines: facts.lines(on: console.terminal))
        }
    }
}

extension ItemFacts {
    fileprivate func lines(on terminal: Terminal) -> [String] {
        let appearance = BadgeAppearance.of(state)
        let label = appearance.style.apply(to: DisplayText.escaped(appearance.label), on: terminal)
        var lines = [tr("{1}: {2}", DisplayText.escaped(item.sentencePath), label)]
        let isDirectory = ListedItem.kind(of: item.filePath) == .directory
        var sentences = [exclusion?.sentence ?? reason ?? meaning].compactMap(\.self)
        if let contents { sentences.append(ContentsWords.sentence(contents, isDirectory: isDirectory)) }
        if contents?.isPinned == true { sentences.append(tr("It is always kept on this computer.")) }
        if let remedy { sentences.append(remedy) }
        lines += sentences.map { "  " + DisplayText.escaped($0) }
        return lines + SyncProblem.table(inside, on: terminal).lines(on: terminal, indent: "  ")
    }

    /// The command that helps where a reason is given, which names none; nil if none does.
    private var remedy: String? {
        guard reason != nil else { return nil }
        if let folder, folder.needs != nil { return Needs.remedy(folder) }
        switch CommonBadge(state) {
        case .conflict: return tr("To decide: roundel resolve {1} mine|theirs|both", item.shellWord)
        case .excluded: return tr("See: roundel exclude")
        case .synced, .pending, .syncing, .paused, .error, .onlineOnly, nil: return nil
        }
    }

    /// What the state means where no reason is given; nil if its label says everything.
    private var meaning: String? {
        let word = item.shellWord
        switch CommonBadge(state) {
        case .synced: return tr("It is the same on this computer and on the remote.")
        case .pending: return tr("It has changed and will be synced soon.")
        case .syncing: return tr("It is being transferred.")
        case .paused: return tr("Its folder is paused. To go on: roundel resume {1}", word)
        case .error: return tr("It, or something in it, could not be synced. See: roundel problems {1}", word)
        case .conflict: return tr("It was changed on both sides. To decide: roundel resolve {1} mine|theirs|both", word)
        case .excluded: return tr("It is left out of syncing, by a pattern or by a choice. See: roundel exclude")
        case .onlineOnly, nil: return nil
        }
    }
}

extension SyncExclusion {
    /// What leaves the item out; nil if that is no more than its state says.
    fileprivate var sentence: String? {
        switch reason?.known {
        case .pattern:
            isBundled
                ? tr("It is left out by the pattern “{1}”, which is bundled.", pattern ?? "")
                : tr("It is left out by the pattern “{1}” of its folder.", pattern ?? "")
        case .link: tr("Symbolic links are not synced.")
        case .special: tr("Devices, sockets and pipes are not synced.")
        case .own, nil: nil
        }
    }
}
