internal import Foundation

/// Keeps what was measured for a comparison with other runs.
enum Record {
    /// A row as it is kept.
    private struct KeptRow: Encodable {
        let group: String
        let what: String
        let target: String
        let measured: String
        let how: String
        let met: Bool?
        let figures: [KeptFigure]

        init(_ row: Row, of group: Group) {
            self.group = group.rawValue
            (what, target, measured, how, met) = (row.what, row.target, row.measured, row.how, row.isMet)
            figures = row.figures.map { KeptFigure($0, of: row) }
        }
    }

    private struct KeptFigure: Encodable {
        let name: String
        let unit: String
        let own: [Double]
        let peer: [Double]

        init(_ figure: Figure, of row: Row) {
            name = figure.name ?? row.what
            (unit, own, peer) = (figure.unit.rawValue, figure.own, figure.peer)
        }
    }

    /// Adds rows to the file of a run.
    static func add(_ rows: [Row], of group: Group, to file: String) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let kept = try encoder.encode(rows.map { KeptRow($0, of: group) })
        _ = try Child.output(
            ["/usr/bin/python3", sourceTree + "/Benchmarks/record", file], typed: String(decoding: kept, as: UTF8.self))
    }
}

/// Where the sources of Roundel are.
let sourceTree = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
