package import RoundelBus
internal import Support
internal import SystemPackage

/// How two files differ, line by line.
package enum TextDifference: Sendable, Equatable {
    /// A line, and which file has it.
    package enum Line: Sendable, Equatable {
        /// Both have it.
        case both(String)
        /// Only the version of this computer has it.
        case mine(String)
        /// Only the version of the remote has it.
        case theirs(String)
    }

    /// The lines of both.
    case lines([Line])
    /// One of them is no text, or too long.
    case noText
    /// One of them cannot be read.
    case unreadable

    /// The largest file that is compared, in bytes.
    private static let mostBytes = 512 << 10
    /// The most lines: what it takes grows with the product of both lengths.
    private static let mostLines = 5_000

    /// Reads two files, which may take as long as their disks do.
    package init(mine: ItemURI, theirs: ItemURI) {
        do {
            guard let mine = try SmallFile.read(mine.filePath, limit: Self.mostBytes),
                let theirs = try SmallFile.read(theirs.filePath, limit: Self.mostBytes)
            else {
                self = .unreadable
                return
            }
            self.init(mine: mine, theirs: theirs)
        } catch .fileTooLarge {
            self = .noText
        } catch {
            self = .unreadable
        }
    }

    init(mine: [UInt8], theirs: [UInt8]) {
        guard let mine = Self.lines(mine), let theirs = Self.lines(theirs) else {
            self = .noText
            return
        }
        var lines = theirs.map { Line.both($0) }
        let changes = mine.difference(from: theirs)
        // From the end, so that the positions of those that are still to come stay right.
        for case .remove(let offset, let text, _) in changes.removals.reversed() { lines[offset] = .theirs(text) }
        var place = 0
        var merged: [Line] = []
        var insertions = changes.insertions.makeIterator()
        var next = insertions.next()
        for line in lines {
            while case .insert(let offset, let text, _)? = next, offset == place {
                merged.append(.mine(text))
                place += 1
                next = insertions.next()
            }
            merged.append(line)
            if case .both = line { place += 1 }
        }
        while case .insert(_, let text, _)? = next {
            merged.append(.mine(text))
            next = insertions.next()
        }
        self = .lines(merged)
    }

    private static func lines(_ bytes: [UInt8]) -> [String]? {
        guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { DisplayText.escaped(String($0)) }
        return lines.count > mostLines ? nil : lines.last == "" ? lines.dropLast() : lines
    }
}
