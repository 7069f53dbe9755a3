internal import Foundation

/// One line of the table.
struct Row {
    let what: String
    let target: String
    let measured: String
    /// How it was measured: how often, and in which order beside what.
    let how: String
    /// Whether the target is met; nil where there is none.
    let isMet: Bool?
    /// What each round gave, by which runs are compared.
    let figures: [Figure]

    init(
        _ what: String, target: String, measured: String, how: String, isMet: Bool? = nil, figures: [Figure] = []
    ) {
        self.what = what
        self.target = target
        self.measured = measured
        self.how = how
        self.isMet = isMet
        self.figures = figures
    }
}

/// What each round of a row gave. Less is better.
struct Figure {
    enum Unit: String {
        case nanoseconds = "ns"
        case kibibytes = "KiB"
        case instructions, count
    }

    /// Where the row's own name is not its alone; it is the same in each run.
    let name: String?
    let unit: Unit
    let own: [Double]
    /// What the peer took in the same rounds; empty without one.
    let peer: [Double]

    init(_ own: [Double], beside peer: [Double] = [], in unit: Unit = .nanoseconds, named name: String? = nil) {
        self.name = name
        self.unit = unit
        self.own = own
        self.peer = peer
    }
}

/// The rows in Markdown.
enum Table {
    static func text(_ rows: [Row], machine: String) -> String {
        var lines = ["| what | target | measured | how | met |", "| --- | --- | --- | --- | --- |"]
        for row in rows {
            let verdict = row.isMet.map { $0 ? "yes" : "**no**" } ?? ""
            lines.append("| \(row.what) | \(row.target) | \(row.measured) | \(row.how) | \(verdict) |")
        }
        return (lines + ["", machine]).joined(separator: "\n")
    }
}

/// Where it was measured.
enum Machine {
    static var line: String {
        var name = utsname()
        uname(&name)
        let kernel = withUnsafeBytes(of: &name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let information = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model =
            information.split(separator: "\n").first { $0.hasPrefix("model name") }?
            .split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown processor"
        let bus = (try? Child.output(["dbus-daemon", "--version"]))?.split(separator: "\n").first.map(String.init)
        return "Linux \(kernel), \(sysconf(Int32(_SC_NPROCESSORS_ONLN))) cores (\(model)), \(bus ?? "dbus-daemon"); "
            + "files in \(temporaryParent) (\(fileSystem(temporaryParent)))."
    }

    private static func fileSystem(_ path: String) -> String {
        (try? Child.output(["findmnt", "-n", "-o", "FSTYPE", "-T", path]))?.trimmingCharacters(
            in: .whitespacesAndNewlines) ?? "?"
    }
}

/// Numbers as people read them.
enum Format {
    static func microseconds(_ nanoseconds: Double) -> String { String(format: "%.1f µs", nanoseconds / 1000) }
    static func milliseconds(_ nanoseconds: Double) -> String { String(format: "%.2f ms", nanoseconds / 1e6) }
    static func seconds(_ nanoseconds: Double) -> String { String(format: "%.2f s", nanoseconds / 1e9) }
    static func ratio(_ value: Double) -> String { String(format: "%.2f", value) }
    static func instructions(_ count: Double) -> String {
        count < 1e6
            ? String(format: "%.0f k instructions", count / 1e3) : String(format: "%.2f M instructions", count / 1e6)
    }
    /// The median of ratios with their range: `1.20 (1.11 to 1.34) ×`.
    static func ratios(_ values: [Double]) -> String {
        "\(spread(values, ratio)) ×"
    }

    /// The median with the range.
    static func spread(_ values: [Double], _ format: (Double) -> String) -> String {
        guard values.count > 1, let low = values.min(), let high = values.max() else { return format(median(values)) }
        return "\(format(median(values))) (\(format(low)) to \(format(high)))"
    }

    static func mebibytes(_ kibibytes: Double) -> String { String(format: "%.1f MiB", kibibytes / 1024) }
}

/// The middle of a sample; `NaN` of none.
func median(_ values: [Double]) -> Double { quantile(values, 0.5) }

func quantile(_ values: [Double], _ share: Double) -> Double {
    guard !values.isEmpty else { return .nan }
    let sorted = values.sorted()
    return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
}
