import ArgumentParser
import RoundelBus

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Sync a folder with a remote directory.",
        discussion: """
            What both sides hold already is compared and united; nothing is deleted. REMOTE is a directory, such as \
            a mounted share: /dir or file:///dir. With --json: {"id":…,"uri":…,"path":…,"remote":…}, and with --wait \
            the members of `roundel sync --wait --json` besides.
            """)

    @Argument(help: ArgumentHelp("The folder.", valueName: "path"))
    var path: String

    @Argument(help: ArgumentHelp("The directory that it syncs with.", valueName: "remote"))
    var remote: String

    @Flag(help: "Leave items that are only remote as placeholders: refused, this version has none.")
    var onDemand = false

    @Flag(help: "Write the remote and never read it: refused, this version cannot.")
    var uploadOnly = false

    @Flag(help: "Return when the first sync is finished.")
    var wait = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        if onDemand { throw CommandFailure(Text.noPlaceholders) }
        if uploadOnly {
            throw CommandFailure(Text.noDropBoxes)
        }
        let folder = try ItemArgument.parse(path)
        let remote = try RemoteArgument.parse(remote)
        let worker = SyncWorkerProxy(bus: try await Bus.open())
        var options = SyncWorkerProxy.AddOptions()
        options.leavesStartToSync = wait
        let id = try await worker.addFolder(uri: folder.text, remote: remote.text, options: options)
        let result = wait ? try await SyncRun(worker: worker, folder: id, patience: nil).wait(quiet: output.json) : nil
        let console = Console()
        if output.json {
            let members: [JSON.Member] = [
                .init("id", .string(id)), .init("uri", .string(folder.text)),
                .init("path", .string(folder.path)), .init("remote", .string(remote.text)),
            ]
            console.print(.object(members + (result?.jsonMembers ?? [])))
        } else if let result {
            console.print(lines: result.lines(on: console.terminal))
        } else {
            let text = Text.added(folder.uri.sentencePath, WorkerPath.sentence(remote.text))
            console.print(DisplayText.escaped(text))
        }
        if let result { try finish(result.exitStatus) }
    }
}
