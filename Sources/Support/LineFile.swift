package import SystemPackage

/// A small file of the program's own with one thing in each line, which is kept whole.
package struct LineFile: Sendable {
    private let path: FilePath
    /// What the file held, as UTF-8 as far as it is such. Empty lines are left out.
    package private(set) var lines: [String]
    /// Why the file could not be read: it may hold what is not known here, and is not replaced.
    private let problem: Errno?

    /// In bytes.
    private static let limit = 4 << 20

    /// Reads the file; one that is not there is empty.
    package init(_ path: FilePath) {
        self.path = path
        var bytes: [UInt8]?
        do throws(Errno) {
            bytes = try SmallFile.read(path, limit: Self.limit)
            problem = nil
        } catch {
            problem = error
            log(.warning, "\(path) cannot be read: \(error)")
        }
        lines = (bytes ?? []).split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Keeps other lines, on the disk first.
    /// - Throws: The error of the system, also if the file could not be read; then the lines are those before.
    package mutating func set(_ new: [String]) throws(Errno) {
        if let problem { throw problem }
        try SmallFile.replace(path, with: Array(new.map { $0 + "\n" }.joined().utf8))
        lines = new
    }
}
