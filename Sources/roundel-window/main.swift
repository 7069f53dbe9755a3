import Glibc
import Window

exit(WindowProgram.run(arguments: CommandLine.arguments))
