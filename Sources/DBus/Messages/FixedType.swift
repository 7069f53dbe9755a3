/// The types whose arrays lie in the message as they lie in memory, so that they are copied in one piece.
///
/// `Bool` is not among them: D-Bus has 32 bits for one.
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
