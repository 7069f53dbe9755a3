import Git
import Glibc

exit(GitProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
