/// The lexical rules for names on the bus (D-Bus specification, "Valid Names").
///
/// libdbus ends the process if it gets an invalid name, so every name is checked here first.
enum NameRules {
    static let maximumLength = 255

    static func isInterface(_ name: String) -> Bool {
        isDotted(name.utf8, allowsHyphen: false, allowsLeadingDigit: false)
    }

    static func isErrorName(_ name: String) -> Bool { isInterface(name) }

    static func isMember(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= maximumLength, !isDigit(first) else { return false }
        return name.utf8.allSatisfy(isWordByte)
    }

    static func isBusName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard bytes.first == UInt8(ascii: ":") else {
            return isDotted(bytes, allowsHyphen: true, allowsLeadingDigit: false)
        }
        return bytes.count <= maximumLength
            && isDotted(bytes.dropFirst(), allowsHyphen: true, allowsLeadingDigit: true)
    }

    static func isUniqueName(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: ":") && isBusName(name)
    }

    private static func isDotted(
        _ bytes: some Collection<UInt8>, allowsHyphen: Bool, allowsLeadingDigit: Bool
    ) -> Bool {
        guard bytes.count <= maximumLength else { return false }
        var elements = 0
        var length = 0
        for byte in bytes {
            if byte == UInt8(ascii: ".") {
                guard length > 0 else { return false }
                elements += 1
                length = 0
                continue
            }
            guard isWordByte(byte) || (allowsHyphen && byte == UInt8(ascii: "-")) else { return false }
            if length == 0, !allowsLeadingDigit, isDigit(byte) { return false }
            length += 1
        }
        return elements >= 1 && length > 0
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}

/// The path of an object on a connection, for example `/org/freedesktop/DBus`.
public struct ObjectPath: Sendable, Hashable, CustomStringConvertible {
    /// The path as text.
    public let rawValue: String

    /// Creates a path that follows the D-Bus specification, "Valid Object Paths".
    ///
    /// - Throws: `InvalidArgs` with the refused path.
    public init(_ path: String) throws(DBusError) {
        guard ObjectPath.isValid(path) else { throw .invalidArgs("“\(path)” is not a valid object path.") }
        self.rawValue = path
    }

    /// Creates a path that libdbus or this module has already validated.
    init(unchecked path: String) { self.rawValue = path }

    /// The root object, `/`.
    public static let root = ObjectPath(unchecked: "/")

    /// The path below this one whose last element is `element`.
    ///
    /// - Throws: `InvalidArgs` if `element` contains anything but ASCII letters, digits and `_`.
    public func appending(_ element: String) throws(DBusError) -> ObjectPath {
        try ObjectPath(rawValue == "/" ? "/" + element : rawValue + "/" + element)
    }

    /// The path, for users and logs.
    public var description: String { rawValue }

    static func isValid(_ path: String) -> Bool {
        var previous: UInt8 = 0
        for (index, byte) in path.utf8.enumerated() {
            if index == 0 || byte == UInt8(ascii: "/") {
                guard byte == UInt8(ascii: "/"), previous != UInt8(ascii: "/") else { return false }
            } else if !NameRules.isWordByte(byte) {
                return false
            }
            previous = byte
        }
        return previous != 0 && path.utf8.count <= MessageLimits.path
            && (previous != UInt8(ascii: "/") || path.utf8.count == 1)
    }
}

extension ObjectPath: ExpressibleByStringLiteral {
    /// Creates a path from a literal; an invalid one is a programming error and traps.
    public init(stringLiteral path: String) {
        precondition(ObjectPath.isValid(path), "invalid object path literal")
        self.rawValue = path
    }
}
