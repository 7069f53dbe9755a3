/// What kept a test from going on, in words.
public struct Failure: Error, CustomStringConvertible {
    /// The reason, a sentence.
    public let description: String

    /// A failure for this reason.
    public init(_ description: String) { self.description = description }
}
