package import SyncCore

/// Names that no one else chooses.
package enum RandomName {
    /// A name consisting of `prefix` and 16 hexadecimal digits.
    package static func component(prefix: String = "") -> EntryName {
        let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let name = prefix + String(repeating: "0", count: 16 - digits.count) + digits
        return EntryName(name) ?? .constant("staged")
    }

    /// 32 hexadecimal digits.
    package static func identifier() -> String {
        component().description + component().description
    }
}
