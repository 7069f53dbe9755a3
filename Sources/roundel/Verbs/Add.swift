import ArgumentParser
import Client
import DBus
import RoundelBus
import Support

struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: tr("Sync a folder with a directory, a server or an rclone remote."),
        discussion: tr(
            """
            The first sync merges both sides: it compares what is on both of them, and deletes nothing. Symbolic \
            links are not synced. REMOTE is a directory, such as a mounted share: /dir or file:///dir, or a \
            directory of a WebDAV server: webdav+https://USER@HOST/PATH (webdav+http:// on this computer), whose \
            password is asked for and kept in your keyring, or a directory of a remote that you configured with \
            `rclone config`: rclone:NAME:PATH (rclone: alone names them).
            """))

    @Argument(help: ArgumentHelp(tr("The folder."), valueName: "path"), completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp(
            tr("The directory, the address of a server or the rclone remote that it syncs with."), valueName: "remote"),
        completion: .file())
    var remote: String

    @Flag(
        help: ArgumentHelp(
            tr("Leave the remote's files there until they are opened; see: roundel on-demand --help")))
    var onDemand = false

    @Flag(
        help: ArgumentHelp(
            tr("Only upload what is put into the folder; nothing of the remote is listed or brought here.")))
    var uploadOnly = false

    @Flag(help: ArgumentHelp(tr("With --upload-only: move files to the trash once they are uploaded.")))
    var trashUploaded = false

    @Flag(help: ArgumentHelp(tr("Return when the first sync is finished.")))
    var wait = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if uploadOnly, onDemand {
            throw ValidationError(
                tr("An upload-only folder downloads nothing, so it cannot be on demand; choose one of the two."))
        }
        if trashUploaded, !uploadOnly { throw ValidationError(tr("--trash-uploaded needs --upload-only.")) }
    }

    func run() async throws {
        let folder = try ItemArgument.parse(path)
        let remote = try RemoteArgument.parse(remote)
        let bus = try await Bus.open()
        let worker = FoldersProxy(bus: bus)
        var options = FoldersProxy.AddOptions()
        options.leavesStartToSync = wait
        options.isOnDemand = onDemand
        options.isUploadOnly = uploadOnly
        options.trashesUploaded = trashUploaded
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
            let text = Self.added(folder.uri.sentencePath, with: WorkerPath.sentence(remote.text))
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

    static func added(_ path: String, with remote: String) -> String {
        tr("{1} now syncs with {2}. The first sync is running; see: roundel status --watch", path, remote)
    }
}
