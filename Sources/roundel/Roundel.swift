import ArgumentParser
import Glibc
import RoundelBus
import Support

/// The command line of Roundel.
struct Roundel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "roundel", abstract: tr("Sync badges, menus and status for every Linux file manager."),
        discussion: tr(
            """
            A PATH is a path of any bytes or a file:// URI. Exit status: 0 done, 1 failed, 2 done but something \
            needs you (conflicts, errors), 64 wrong usage. What --json prints is described in Documentation/json.md.
            """),
        version: "roundel \(roundelRelease)",
        subcommands: [
            AddCommand.self, RemoveCommand.self, RelocateCommand.self, ListCommand.self, StatusCommand.self,
            BadgeCommand.self, ListingCommand.self, SyncCommand.self, PauseCommand.self, ResumeCommand.self,
            LimitCommand.self,
            ConflictsCommand.self, ResolveCommand.self, ExcludeCommand.self, MenuCommand.self, DoCommand.self,
            ActivityCommand.self, TrashCommand.self, ProvidersCommand.self, SetupCommand.self, DoctorCommand.self,
            ReportCommand.self,
            VerifyCommand.self, LoginCommand.self, LogoutCommand.self, OnDemandCommand.self, FetchCommand.self,
            FreeCommand.self, PinCommand.self, UnpinCommand.self, ProblemsCommand.self, WhyCommand.self,
            OpenCommand.self, ShareCommand.self, HistoryCommand.self,
            GitCommands.self, MarkCommand.self, RunCommand.self,
            NewProviderCommand.self, CheckProviderCommand.self, CheckHostCommand.self,
        ])
}

@main
enum Program {
    static func main() async {
        setlocale(LC_ALL, "")
        do {
            let arguments = try ArgumentVector.ofThisProcess().arguments
            if arguments.first == "help", let mistake = MistypedCommand(in: arguments, of: Roundel.self) {
                throw mistake
            }
            var command = try Roundel.parseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(report(error))
        }
    }

    /// Reports an error and returns the exit status.
    private static func report(_ error: any Error) -> Int32 {
        if ErrorSentence.known(error) != nil {
            Console.complain(error)
            return ErrorSentence.status(of: error).rawValue
        }
        // Errors of the parser: help, the version, wrong usage, and the exit statuses of verbs.
        let status = Roundel.exitCode(for: error)
        let message = Roundel.fullMessage(for: error)
        if message.isEmpty { return status.rawValue }
        if status.isSuccess {
            print(message)
        } else {
            let arguments = (try? ArgumentVector.ofThisProcess().arguments) ?? []
            if let mistake = MistypedCommand(in: arguments, of: Roundel.self) {
                Console.complain(mistake)
            } else {
                Console.complain(ofUsage: Roundel.message(for: error), lines: message, quoting: arguments)
            }
        }
        return status.rawValue
    }
}
