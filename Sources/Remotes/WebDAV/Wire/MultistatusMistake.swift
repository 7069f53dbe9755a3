/// Why a response cannot be used.
package enum MultistatusMistake: Error, Hashable, Sendable {
    /// It is not well-formed XML, or is truncated.
    case malformed
    /// It is a document other than a multistatus.
    case foreign
    /// It has a document type, which could define entities.
    case documentType
    /// Its elements are nested deeper than in any real response.
    case tooDeep
    /// An item is larger than a real one could be.
    case tooLarge
    /// An item has no address, or several.
    case noReference
}
