import ArgumentParser
import Client
import DBus
import RoundelBus
import Support

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: Help.Add.abstract,
        discussion: Help.Add.discussion)

    @Argument(help: ArgumentHelp(Help.Add.path, valueName: "path"), completion: .file())
    var path: String

    @Argument(help: ArgumentHelp(Help.Add.remote, valueName: "remote"), completion: .file())
    var remote: String

    @Flag(help: ArgumentHelp(Help.Add.wait))
    var wait = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let remote = try RemoteArgument.parse(remote)
        let bus = try await Bus.open()
        let worker = FoldersProxy(bus: bus)
        var options = FoldersProxy.AddOptions()
        options.leavesStartToSync = wait
        let id = try await add(folder, remote, options, worker, bus)
        let result = wait ? try await FollowedRun.end(of: worker.run(id, options: .init()), isShown: !output.json) : nil
        let console = Console()
        if output.json {
            let members: [JSON.Member] = [
                .init("id", .string(id)), .init("uri", .string(folder.text)),
                .init("path", .string(folder.path)), .init("remote", .string(remote.text)),
            ]
            console.print(.object(members + (result?.members ?? [])))
        } else if let result {
            console.print(lines: result.lines(on: console.terminal))
        } else {
            let text = Text.added(folder.uri.sentencePath, with: WorkerPath.sentence(remote.text))
            console.print(DisplayText.escaped(text))
        }
        if let result { try finish(result.exitStatus) }
    }

    /// Adds the folder. If the server requires a login, asks the user for it at a terminal first.
    private func add(
        _ folder: ItemArgument, _ remote: RemoteArgument, _ options: FoldersProxy.AddOptions,
        _ worker: FoldersProxy, _ bus: AsyncConnection
    ) async throws -> String {
        do {
            return try await worker.addFolder(uri: folder.text, remote: remote.text, options: options)
        } catch let error as DBusError {
            guard error.roundelCode == .loginNeeded, let account = remote.account, LoginDialog.isPossible else {
                throw error
            }
            _ = try await LoginDialog(bus: bus).run(for: LoginRemote(address: remote.text, account: account))
            return try await worker.addFolder(uri: folder.text, remote: remote.text, options: options)
        }
    }
}
