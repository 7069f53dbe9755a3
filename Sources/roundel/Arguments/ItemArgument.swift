import RoundelBus
import Support
import SystemPackage

/// A PATH of the command line: an item, named by a path of any bytes or by a `file://` URI.
struct ItemArgument: Sendable, Equatable {
    let uri: ItemURI

    init(uri: ItemURI) { self.uri = uri }

    /// The URI as text for the bus.
    var text: String { uri.uri }
    /// The path for display.
    var path: String { uri.displayPath }

    /// - Throws: ``CommandFailure`` with a sentence for the user.
    init(path: FilePath, resolver: PathSpelling) throws {
        guard !path.isEmpty else { throw CommandFailure(tr("A path must not be empty."), status: .usage) }
        do throws(ItemURIError) {
            uri = try ItemURI(path: resolver.absolute(path))
        } catch {
            throw CommandFailure(Self.unusablePath(path.displayed, because: error), status: .usage)
        }
    }

    /// Parses a path, or a URI if the text begins with a scheme and `://`.
    /// - Throws: ``CommandFailure`` with a sentence for the user.
    init(_ text: String, resolver: PathSpelling) throws {
        guard ItemArgument.looksLikeURI(text) else {
            try self.init(path: FilePath(bytes: text.utf8), resolver: resolver)
            return
        }
        do throws(ItemURIError) {
            self.init(uri: try ItemURI(text))
        } catch {
            throw CommandFailure(tr("“{1}” is not the URI of an item: {2}.", text, error.reason), status: .usage)
        }
    }

    /// Parses an argument of this process.
    static func parse(_ text: String) throws -> ItemArgument {
        try ItemArgument(text, resolver: .forThisProcess())
    }

    /// The working directory of the process.
    static func workingDirectory() throws -> ItemArgument {
        try ItemArgument(path: ".", resolver: .forThisProcess())
    }

    /// Whether the text starts with a scheme (RFC 3986 section 3.1) and `://`, or with `file:`.
    static func looksLikeURI(_ text: String) -> Bool {
        let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        let rest = text[scheme.endIndex...]
        guard let first = scheme.first, first.isLetter else { return false }
        return rest.hasPrefix("://") || (scheme.lowercased() == "file" && rest.hasPrefix(":/"))
    }

    static func unusablePath(_ path: String, because reason: ItemURIError) -> String {
        tr("“{1}” cannot be used: {2}.", path, reason.reason)
    }
}
