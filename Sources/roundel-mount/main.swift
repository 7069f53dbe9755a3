import Glibc
import OnDemand

exit(MountProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
