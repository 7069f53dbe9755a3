import BadgeService
import Glibc

exit(Service.run(arguments: Array(CommandLine.arguments.dropFirst())))
