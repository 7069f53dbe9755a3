internal import CLine
internal import Glibc

/// A line with a delay and losses, and who is at its two ends.
final class Line {
    /// What a packet meets on its way, in both directions.
    struct Shape {
        /// There and back, in milliseconds.
        let roundTrip: UInt64
        /// How many of a hundred packets are lost.
        let loss: UInt32

        /// Mbit/s, as many people have at home.
        static let rate: UInt64 = 200
        /// How long a packet waits at most for those before it, in milliseconds; as much as many routers keep.
        static let patience: UInt64 = 50
        /// The same packets are lost in each measurement.
        static let seed: UInt64 = 1

        var text: String { "\(roundTrip) ms" + (loss > 0 ? " and \(loss) % loss" : "") }
    }

    /// The address of the far end.
    static let farAddress = LINE_FAR

    let shape: Shape
    private let program: Child
    private let nearEnd: String
    private let farEnd: String

    /// Makes one; it goes with this object, when the programs at its ends have ended.
    init(_ shape: Shape) throws {
        self.shape = shape
        program = try Child(Role.line.command("\(shape.roundTrip) \(shape.loss)"), isQuiet: false)
        guard let places = try? program.receiveLine().split(separator: " "), places.count == 3 else {
            throw Failure("no line can be made: it needs namespaces for the network, and /dev/net/tun")
        }
        (nearEnd, farEnd) = ("\(places[0]) \(places[1])", "\(places[0]) \(places[2])")
    }

    deinit { program.end() }

    // MARK: Its ends

    /// The command that runs another one where the client is.
    func near(_ command: [String]) -> [String] { Role.within.command(nearEnd) + command }

    /// The command that runs another one where the server is.
    func far(_ command: [String]) -> [String] { Role.within.command(farEnd) + command }

    /// What of echo requests comes back, and when: the line as it is, in words.
    func measured() throws -> String {
        let numbers = try Child.output(Role.probe.command(nearEnd)).split(whereSeparator: \.isWhitespace)
            .compactMap { Double($0) }
        guard numbers.count == 4, numbers[0] > 0, numbers[1] > 0 else { throw Failure("nothing crosses the line") }
        let lost = 100 * (1 - numbers[1] / numbers[0])
        return "\(Format.milliseconds(numbers[2])) there and back, at most \(Format.milliseconds(numbers[3])), "
            + "\(Format.ratio(lost)) % of \(Int(numbers[0])) echoes lost"
    }

    /// How TCP chooses its speed there.
    func congestionControl() throws -> String {
        let file = "/proc/sys/net/ipv4/tcp_congestion_control"
        return try Child.output(near(["cat", file])).filter { !$0.isWhitespace }
    }

    // MARK: The parts that the harness plays for it

    /// Carries packets until the harness ends.
    static func serve(_ text: String) -> Int32 {
        let numbers = text.split(separator: " ").compactMap { UInt32($0) }
        guard numbers.count == 2, numbers[1] <= 100 else { return 64 }
        var shape = line_shape(
            delay: UInt64(numbers[0]) * 500_000, loss: numbers[1] * 10_000, rate: Shape.rate * 1_000_000,
            patience: Shape.patience * 1_000_000, seed: Shape.seed)
        return status(of: line_serve(&shape))
    }

    /// Becomes another program at one end; returns only if that cannot be.
    static func run(_ command: [String], at end: String) -> Int32 {
        guard !command.isEmpty, enter(end) else { return 127 }
        var words = command.map { strdup($0) } + [nil]
        execvp(command[0], &words)
        return status(of: -errno)
    }

    /// Prints how many echo requests were sent from one end and answered, and how long that took.
    static func probe(from end: String) -> Int32 {
        var echoes = line_echoes()
        guard enter(end) else { return 1 }
        let code = line_probe(farAddress, 2000, &echoes)
        if code >= 0 { print(echoes.sent, echoes.answered, echoes.middle, echoes.worst) }
        return status(of: code)
    }

    private static func enter(_ end: String) -> Bool {
        let numbers = end.split(separator: " ").compactMap { UInt32($0) }
        return numbers.count == 2 && status(of: line_enter(numbers[0], numbers[1])) == 0
    }

    private static func status(of code: Int32) -> Int32 {
        guard code < 0 else { return 0 }
        report("The line: \(String(cString: strerror(-code)))")
        return 1
    }
}
