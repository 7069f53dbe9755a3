/// What a server reports about one item in a multistatus (RFC 4918, section 14.24).
package struct MultistatusResponse: Hashable, Sendable {
    /// A property that the item has.
    package struct Value: Hashable, Sendable {
        /// All text in it, in order.
        package var text: [UInt8] = []
        /// The elements directly in it.
        package var elements: [PropertyName] = []
    }

    /// The address of the item, as the server writes it.
    package var reference = ""
    /// The status of the whole item; nil if it has properties.
    package var status: Int?
    /// The requested properties that the item has: those with status 200.
    package var properties: [PropertyName: Value] = [:]

    /// Whether the item is a collection; nil if the server does not report it.
    package var isCollection: Bool? {
        properties[.resourceType].map { $0.elements.contains(.dav("collection")) }
    }

    /// The entity tag, if it has one.
    package var entityTag: EntityTag? { properties[.entityTag].flatMap { EntityTag($0.text) } }

    /// The length in bytes; nil if the server does not report it, or reports an impossible one.
    package var length: Int64? {
        properties[.length].flatMap { value in
            Int64(Self.word(value)).flatMap { $0 >= 0 ? $0 : nil }
        }
    }

    /// The modification time, in seconds since 1970 by the server's clock.
    package func modified(year: Int) -> Int64? {
        properties[.modified].flatMap { HTTPDate.seconds(Self.word($0), year: year) }
    }

    private static func word(_ value: Value) -> String {
        String(decoding: value.text.withoutBlanks(), as: UTF8.self)
    }
}
