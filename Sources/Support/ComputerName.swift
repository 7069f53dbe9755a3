internal import Glibc

/// The name of this computer, as people know it.
package enum ComputerName {
    /// The maximum number of bytes in ``label``.
    package static let longest = 24

    /// The name that the administrator gave; nil if it cannot be read.
    package static var host: String? {
        // The length of Linux's longest name, and the NUL that ends it.
        var text = [CChar](repeating: 0, count: 65)
        guard gethostname(&text, text.count - 1) == 0 else { return nil }
        return String(validating: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The name for use in names of files; "" if this computer has none of its own.
    package static var label: String { host.map(label(of:)) ?? "" }

    /// The part of a host's name for use in names of files on any system: letters, digits and hyphens of its first
    /// label. "" for a name that many computers have.
    package static func label(of host: String) -> String {
        let first = host.utf8.prefix { $0 != UInt8(ascii: ".") }
        guard first.allSatisfy({ isPlain($0) }) else { return "" }
        let label = String(decoding: first.prefix(longest), as: UTF8.self)
        return label.lowercased() == "localhost" ? "" : label
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        case _: false
        }
    }
}
