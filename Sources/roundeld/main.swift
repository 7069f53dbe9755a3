import BadgeService
import Desktop
import Glibc

exit(Service.run(arguments: Array(CommandLine.arguments.dropFirst()), attach: DesktopParts.attach))
