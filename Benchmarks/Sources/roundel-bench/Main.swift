internal import Glibc

/// The program: what the options say, one table on standard output.
@main
enum Main {
    static func main() {
        // The harness starts itself for the parts that others play.
        if let status = Role.play(CommandLine.arguments) { exit(status) }
        do {
            let options = try Options(arguments: Array(CommandLine.arguments.dropFirst()))
            // A peer that has gone is an error of a write, no end of the whole run.
            signal(SIGPIPE, SIG_IGN)
            let rows = try measure(options)
            print(Table.text(rows, machine: Machine.line))
        } catch let stop as Options.Stop {
            print(stop.text)
            exit(stop.status)
        } catch {
            report("The benchmarks ended early: \(error)")
            exit(1)
        }
    }

    private static func measure(_ options: Options) throws -> [Row] {
        var rows: [Row] = []
        for group in Group.allCases where options.groups.contains(group) {
            report("\(group.rawValue) …")
            let measured: [Row]
            do {
                measured = try group.measure(options)
            } catch let failure as Failure {
                measured = [
                    Row(group.rawValue, target: "", measured: "could not be measured: \(failure.text)", how: "")
                ]
            }
            // What is known is kept, whatever becomes of the groups after it.
            if let record = options.record { try Record.add(measured, of: group, to: record) }
            rows += measured
        }
        return rows
    }
}

/// Says how it goes on, on standard error.
func report(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

/// Why something could not be measured.
struct Failure: Error, CustomStringConvertible {
    let text: String
    init(_ text: String) { self.text = text }
    var description: String { text }
}
