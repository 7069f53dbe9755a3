import Glibc
import SyncService

exit(WorkerProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
