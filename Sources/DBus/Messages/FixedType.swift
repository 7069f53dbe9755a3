/// The types whose arrays have the same layout in a message as in memory, so that they can be copied at once.
///
/// `Bool` is not one of them, because D-Bus uses 32 bits for it.
public protocol FixedType: BitwiseCopyable, Sendable {
    /// The signature of one element.
    static var dbusSignature: Signature { get }
}

extension UInt8: FixedType {
    /// `y`
    public static var dbusSignature: Signature { "y" }
}
extension Int16: FixedType {
    /// `n`
    public static var dbusSignature: Signature { "n" }
}
extension UInt16: FixedType {
    /// `q`
    public static var dbusSignature: Signature { "q" }
}
extension Int32: FixedType {
    /// `i`
    public static var dbusSignature: Signature { "i" }
}
extension UInt32: FixedType {
    /// `u`
    public static var dbusSignature: Signature { "u" }
}
extension Int64: FixedType {
    /// `x`
    public static var dbusSignature: Signature { "x" }
}
extension UInt64: FixedType {
    /// `t`
    public static var dbusSignature: Signature { "t" }
}
extension Double: FixedType {
    /// `d`
    public static var dbusSignature: Signature { "d" }
}

extension FixedType {
    /// The type's code in a signature.
    static var typeCode: UInt8 { dbusSignature.rawValue.utf8.first ?? 0 }
}
