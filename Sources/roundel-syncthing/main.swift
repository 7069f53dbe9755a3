import Glibc
import Syncthing

exit(SyncthingProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
