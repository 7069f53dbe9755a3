/// A password with which a link is opened. It goes to the server alone.
package struct SharePassword: Sendable, CustomStringConvertible, CustomReflectable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// How many characters it has.
    var characters: Int64 { Int64(text.unicodeScalars.count) }

    /// Reveals nothing.
    package var description: String { "password" }
    /// Reveals nothing.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<(label: String?, value: Any)>()) }
}
