package import RoundelBus
internal import Support
package import SystemPackage

/// All marks, kept in a file with one in each line.
package struct MarkBook {
    private var file: LineFile
    package private(set) var marks: [Mark]

    /// Reads the file; lines that hold no mark are passed over.
    package init(_ path: FilePath) {
        file = LineFile(path)
        marks = file.lines.compactMap { Mark(line: $0) }
    }

    package subscript(folder: ItemURI) -> Mark? { marks.first { $0.folder == folder } }

    /// The mark of the folder in which an item is.
    package func mark(above item: ItemURI) -> Mark? { marks.first { item.isWithin($0.folder) } }

    /// Keeps a mark, in the place of the folder's earlier one.
    /// - Throws: As ``LineFile/set(_:)``.
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
        try file.set(new.map(\.line))
        marks = new
    }
}
