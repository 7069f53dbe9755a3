import Glibc
import Marks

exit(MarksProgram.run(arguments: Array(CommandLine.arguments.dropFirst())))
