import Glibc

/// The files of the tree that tests read: articles whose examples are tested, the interface XML.
public enum Sources {
    /// The text of a file of the tree, whose path is relative to its root.
    public static func text(_ path: String) throws -> String {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        guard let file = fopen("\(root)/\(path)", "re") else { throw Failure("cannot read \(root)/\(path)") }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first block of Swift code in an article; nil if there is none.
    public static func firstExample(in article: String) -> String? {
        let lines = article.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "```swift"), let end = lines[start...].firstIndex(of: "```") else {
            return nil
        }
        return lines[(start + 1)..<end].map { $0 + "\n" }.joined()
    }
}
