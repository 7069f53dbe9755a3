internal import Glibc

/// What belongs together in one session.
enum Group: String, CaseIterable {
    case instructions, badge, directory, signal, silent, idle, memory, start, storm, worker, edit, large, servers, line,
        scale

    func measure(_ options: Options) throws -> [Row] {
        switch self {
        case .instructions: try InstructionRows.measure(options)
        case .badge: try BadgeRows.oneBadge(options)
        case .directory: try BadgeRows.directory(options)
        case .signal: try BadgeRows.stateChange(options)
        case .silent: try SilentMountRow.measure(options)
        case .idle: try RestRows.idle(options)
        case .memory: try MemoryRows.measure(options)
        case .start: try RestRows.start(options)
        case .storm: try StormRow.measure(options)
        case .worker: try WorkerRows.trees(options)
        case .edit: try EditRows.small(options)
        case .large: try EditRows.large(options)
        case .servers: try ServerRows.measure(options)
        case .line: try LineRows.measure(options)
        case .scale: try ScaleRows.measure(options)
        }
    }
}

/// The command line.
struct Options {
    /// All but the one that takes half an hour.
    var groups = Set(Group.allCases).subtracting([.scale])
    /// Files of the large tree of the group `scale`; nil for as many as is usual.
    var files: Int?
    /// The file that keeps what each round gave.
    var record: String?
    /// Fewer repetitions and smaller trees; its figures are only a hint.
    var isQuick = false
    /// The directory of the programs.
    var programs = ""

    /// An end before anything was measured.
    struct Stop: Error {
        let text: String
        let status: Int32
    }

    static let usage = """
        Usage: roundel-bench [--only GROUP,…] [--quick] [--files N] [--record FILE]

        Measures the programs in $ROUNDEL_BIN and prints a table in Markdown; --record adds what each round gave to a
        file, which Benchmarks/compare reads.
        Groups: \(Group.allCases.map(\.rawValue).joined(separator: " "))
        """

    init(arguments: [String]) throws {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": throw Stop(text: Self.usage, status: 0)
            case "--quick": isQuick = true
            case "--files":
                files = rest.popFirst().flatMap { Int($0) }.flatMap { (100...10_000_000).contains($0) ? $0 : nil }
                if files == nil { throw Stop(text: Self.usage, status: 64) }
            case "--record":
                record = rest.popFirst()
                if record == nil { throw Stop(text: Self.usage, status: 64) }
            case "--only":
                let names = (rest.popFirst() ?? "").split(separator: ",")
                groups = Set(names.compactMap { Group(rawValue: String($0)) })
                guard groups.count == names.count, !names.isEmpty else { throw Stop(text: Self.usage, status: 64) }
            default: throw Stop(text: Self.usage, status: 64)
            }
        }
        guard let path = getenv("ROUNDEL_BIN") else {
            throw Stop(text: "Set ROUNDEL_BIN to the directory that holds roundeld and roundel-worker.", status: 64)
        }
        programs = String(cString: path)
    }

    /// How often each row is measured; the median counts.
    var rounds: Int { isQuick ? 3 : 5 }

    func program(_ name: String) -> String { programs + "/" + name }
}
