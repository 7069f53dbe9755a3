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
            links are not synced. REMOTE is the address of a server, as you have it: cloud.example.org, an https:// \
            address of your browser, the address of a shared link, or webdav+https://USER@HOST/PATH; USER@HOST:/DIR on \
            a computer that a remote of rclone leads to; NAME:PATH of a remote that you configured with `rclone \
            config`; or a directory, such as a mounted share. Roundel finds out what is there, asks you to log in where \
            that is needed, and says in numbers what will happen.
            """))

    @Argument(help: ArgumentHelp(tr("The folder."), valueName: "path"), completion: .file())
    var path: String

    @Argument(
        help: ArgumentHelp(
            tr("The address of a server, the rclone remote or the directory that it syncs with."), valueName: "remote"),
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

    @Option(
        help: ArgumentHelp(
            tr("Sync only this directory of the remote, given as a path below it; may be given several times."),
            valueName: "dir"))
    var only: [String] = []

    @Flag(help: ArgumentHelp(tr("Make the folder and the directory on the remote where they are missing.")))
    var create = false

    @OptionGroup var certificates: CertificateOptions

    @Flag(help: ArgumentHelp(tr("Only say what would happen.")))
    var dryRun = false

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
        let argument = try RemoteArgument.parse(remote)
        let bus = try await Bus.open()
        try await certificates.set(at: argument.text, bus)
        let addition = FolderAddition(bus: bus, isShown: !output.json)
        let remote = try await addition.remote(of: argument)
        let worker = FoldersProxy(bus: bus)
        var options = FoldersProxy.AddOptions()
        options.leavesStartToSync = wait
        options.isOnDemand = onDemand
        options.isUploadOnly = uploadOnly
        options.trashesUploaded = trashUploaded
        options.creates = create
        options.only = only
        let console = Console()
        if dryRun {
            let preview = try await addition.preview(folder, remote, options)
            if output.json {
                console.print(.object([.init("remote", .string(remote.text))] + preview.members))
            } else {
                let lines = preview.lines(isOnDemand: onDemand)
                console.print(lines: lines.isEmpty ? [tr("Nothing to download or upload.")] : lines)
            }
            return
        }
        if !output.json, let preview = try await addition.previewIfPossible(folder, remote, options) {
            Console.ask(preview.lines(isOnDemand: onDemand).map { $0 + "\n" }.joined())
        }
        let id = try await addition.withLogin(at: remote) {
            try await worker.addFolder(uri: folder.text, remote: remote.text, options: options)
        }
        let result = wait ? try await FollowedRun.end(of: worker.run(id, options: .init()), isShown: !output.json) : nil
        if output.json {
            let members: [JSON.Member] = [
                .init("id", .string(id)), .init("uri", .string(folder.text)),
                .init("path", .string(folder.path)), .init("remote", .string(remote.text)),
            ]
            console.print(.object(members + (result?.members ?? [])))
        } else if let result {
            console.print(lines: result.lines(on: console.terminal))
        } else {
            let text = Self.added(folder.uri.sentencePath, with: WorkerPath.remote(remote.text))
            console.print(DisplayText.escaped(text))
        }
        if let result { try finish(result.exitStatus) }
    }

    static func added(_ path: String, with remote: String) -> String {
        tr("{1} now syncs with {2}. The first sync is running; see: roundel status --watch", path, remote)
    }
}
