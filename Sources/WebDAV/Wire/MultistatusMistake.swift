/// Why a text is not the answer of a server that can be built on.
package enum MultistatusMistake: Error, Hashable, Sendable {
    /// No well-formed XML, or none to the end.
    case malformed
    /// Another document than a multistatus.
    case foreign
    /// A document type, of which entities could be made.
    case documentType
    /// More elements in one another than any answer has.
    case tooDeep
    /// An item with more than one could have.
    case tooLarge
    /// An item without an address, or with several.
    case noReference
}
