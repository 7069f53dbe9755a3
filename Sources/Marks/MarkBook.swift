package import RoundelBus
internal import Support
package import SystemPackage

/// All marks, kept in a file with one in each line.
package struct MarkBook {
    private let path: FilePath
    package private(set) var marks: [Mark]
    /// Why the file could not be read: it may hold what is not known here, and is not replaced.
    private let problem: Errno?

    private static let limit = 4 << 20

    /// Reads the file; lines that hold no mark are passed over.
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
        marks = (bytes ?? []).split(separator: UInt8(ascii: "\n")).compactMap {
            Mark(line: String(decoding: $0, as: UTF8.self))
        }
    }

    package subscript(folder: ItemURI) -> Mark? { marks.first { $0.folder == folder } }

    /// The mark of the folder in which an item is.
    package func mark(above item: ItemURI) -> Mark? { marks.first { item.isWithin($0.folder) } }

    /// Keeps a mark, in the place of the folder's earlier one.
    /// - Throws: The error of the system, also if the file could not be read; then the marks are those before.
    package mutating func keep(_ mark: Mark) throws(Errno) {
        var new = marks
        if let index = new.firstIndex(where: { $0.folder == mark.folder }) {
            new[index] = mark
        } else {
            new.append(mark)
        }
        try save(new)
    }

    /// Forgets a folder.
    /// - Throws: As ``keep(_:)``.
    package mutating func forget(_ folder: ItemURI) throws(Errno) { try save(marks.filter { $0.folder != folder }) }

    private mutating func save(_ new: [Mark]) throws(Errno) {
        if let problem { throw problem }
        try SmallFile.replace(path, with: Array(new.map { $0.line + "\n" }.joined().utf8))
        marks = new
    }
}
