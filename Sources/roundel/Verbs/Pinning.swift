import ArgumentParser
import Client
import RoundelBus
import Support

struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin", abstract: tr("Always keep files of an on-demand folder on this computer."),
        discussion: tr(
            """
            They are downloaded in the background, and again whenever they change on the remote; nothing frees them. \
            Of a directory this holds for everything that is or comes to be in it.
            """))

    @OptionGroup var pinning: PinningOptions

    func run() async throws { try await pinning.carryOut(isPinned: true) }
}

struct UnpinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin", abstract: tr("No longer always keep files on this computer."),
        discussion: tr("Files that are on this computer stay until they are freed: roundel free PATH."))

    @OptionGroup var pinning: PinningOptions

    func run() async throws { try await pinning.carryOut(isPinned: false) }
}

/// The options that `pin` and `unpin` share.
struct PinningOptions: ParsableArguments {
    @Argument(help: .itemsOnDemand, completion: .file())
    var paths: [String]

    @OptionGroup var output: OutputOptions

    func carryOut(isPinned: Bool) async throws {
        let items = try paths.map { try ItemArgument.parse($0).uri }
        let failures = try await Engines(bus: try await Bus.open()).setPinned(isPinned, items)
        let console = Console()
        if output.json {
            console.print(
                .object([
                    .init("pinned", .bool(isPinned)),
                    .init("items", .array(items.map { .object(JSON.item($0.uri)) })),
                ]))
        } else if failures.isEmpty {
            console.print(
                isPinned
                    ? tr(
                        items.count, one: "1 item is always kept on this computer now.",
                        other: "{1} items are always kept on this computer now.")
                    : tr(
                        items.count, one: "1 item is no longer always kept on this computer.",
                        other: "{1} items are no longer always kept on this computer."))
        }
        try finish(failures)
    }
}
