/// A dictionary `a{sv}`. Its values are the contents of the variants, not `.variant`.
public typealias VariantMap = [String: DBusValue]

/// Typed access: nil if the key is absent or its value has another type.
extension VariantMap {
    /// The value of `key` as an `s`.
    public func string(_ key: String) -> String? { self[key]?.string }
    /// The value of `key` as a `b`.
    public func bool(_ key: String) -> Bool? { self[key]?.bool }
    /// The value of `key` as a `y`.
    public func byte(_ key: String) -> UInt8? { self[key]?.byte }
    /// The value of `key` as an `i`.
    public func int32(_ key: String) -> Int32? { self[key]?.int32 }
    /// The value of `key` as a `u`.
    public func uint32(_ key: String) -> UInt32? { self[key]?.uint32 }
    /// The value of `key` as an `x`.
    public func int64(_ key: String) -> Int64? { self[key]?.int64 }
    /// The value of `key` as a `t`.
    public func uint64(_ key: String) -> UInt64? { self[key]?.uint64 }
    /// The value of `key` as a `d`.
    public func double(_ key: String) -> Double? { self[key]?.double }
    /// The value of `key` as an `o`.
    public func objectPath(_ key: String) -> ObjectPath? { self[key]?.objectPath }
    /// The value of `key` as an `as`.
    public func strings(_ key: String) -> [String]? { self[key]?.strings }
    /// The value of `key` as an `ay`.
    public func bytes(_ key: String) -> [UInt8]? { self[key]?.bytes }
    /// The value of `key` as an `au`.
    public func uint32s(_ key: String) -> [UInt32]? { self[key]?.uint32s }
    /// The value of `key` as an `a{sv}`.
    public func map(_ key: String) -> VariantMap? { self[key]?.map }
    /// The value of `key` as an `aa{sv}`.
    public func maps(_ key: String) -> [VariantMap]? { self[key]?.maps }
}
