import ArgumentParser
import Client
import Glibc
import RoundelBus
import Support

/// A command around which a folder shows how it goes.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: tr("Run a command for a folder, and show how it goes."),
        discussion: tr(
            """
            For borg, restic, rclone, unison, rsync and anything else: while it runs the folder shows as syncing; if it \
            ends with 0 as synced, otherwise as an error with the last line that it said. What changes after its start \
            shows as waiting until the next run. The exit status is the command's. Without a badge service the command \
            runs all the same.
            """))

    @Argument(help: ArgumentHelp(tr("The folder."), valueName: "dir"), completion: .directory)
    var path: String

    @Argument(parsing: .postTerminator, help: ArgumentHelp(tr("The command and its arguments."), valueName: "command"))
    var command: [String]

    func validate() throws {
        if command.isEmpty { throw ValidationError(tr("Give a command: roundel run DIR -- COMMAND")) }
    }

    func run() async throws {
        let folder = try MarkedFolder.parse(path)
        // The parser cannot hold all that a command may be given.
        let words = Self.words ?? command.map { Array($0.utf8) }
        let teller = await Teller(folder)
        let started = FileClock.nextTick()
        await teller.say(.syncing, DisplayText.decoding(words[0]), started)
        guard let end = ForegroundCommand.run(words) else {
            let reason = tr(
                "“{1}” cannot be started: {2}.", DisplayText.decoding(words[0]), SystemError.description(of: errno))
            await teller.say(.error, reason, started)
            throw CommandFailure(reason)
        }
        if end.status == 0 {
            await teller.say(.synced, "", started)
        } else {
            let reason = end.lastLine.isEmpty ? tr("Ended with the exit status {1}.", "\(end.status)") : end.lastLine
            await teller.say(.error, reason, started)
        }
        if end.status != 0 { throw ExitCode(end.status) }
    }

    /// What stands after `--` on the command line, byte by byte.
    private static var words: [[UInt8]]? {
        let all = (0..<Int(CommandLine.argc)).compactMap { CommandLine.unsafeArgv[$0] }
            .map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        return all.firstIndex(of: Array("--".utf8)).map { Array(all[($0 + 1)...]) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Says how a command goes, if there is somebody to say it to.
private struct Teller {
    private let folder: ItemURI
    private let proxy: MarksProxy?

    init(_ folder: ItemURI) async {
        self.folder = folder
        do {
            let bus = try await Bus.open()
            try await InstalledEngine(MarksProxy.provider, bus: bus).turnOn()
            proxy = MarksProxy(bus: bus)
        } catch {
            proxy = nil
            Self.complain(error)
        }
    }

    func say(_ state: Badge, _ message: String, _ started: Int64) async {
        var statement = MarksProxy.Statement(state)
        statement.message = message
        statement.started = started
        statement.isOwned = state == .syncing
        do {
            try await proxy?.mark(folder, statement)
        } catch {
            Self.complain(error)
        }
    }

    private static func complain(_ error: any Error) {
        Console.complain(tr("No badge shows how the command goes: {1}", ErrorSentence.of(error)))
    }
}
