/// The strings of an `as`, read directly from their message, so that a long array needs no call for each of them.
///
/// libdbus returns pointers into the body, which it stores as the D-Bus specification marshals it (section "Marshaling
/// (Wire Format)") and has validated: the array's length in bytes, then each string as its length, aligned to four
/// bytes, its UTF-8 and a NUL. The numbers have this machine's byte order once the message is read.
struct MarshalledStrings {
    private let array: UnsafeRawBufferPointer
    private var offset = 0

    /// The strings of an array with this first element; nil means that it is empty.
    init(first: UnsafePointer<CChar>?) {
        guard let first else {
            array = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let start = UnsafeRawPointer(first) - Self.lengthSize
        let size = (start - Self.lengthSize).loadUnaligned(as: UInt32.self)
        array = UnsafeRawBufferPointer(start: start, count: Int(size))
    }

    private static let lengthSize = MemoryLayout<UInt32>.size

    /// The UTF-8 of the next string, valid as long as its message is; nil after the last.
    mutating func next() -> UnsafeBufferPointer<UInt8>? {
        let aligned = (offset + Self.lengthSize - 1) & ~(Self.lengthSize - 1)
        guard aligned + Self.lengthSize < array.count else { return nil }
        let length = Int(array.loadUnaligned(fromByteOffset: aligned, as: UInt32.self))
        let text = aligned + Self.lengthSize
        offset = text + length + 1
        guard offset <= array.count else { return nil }
        return UnsafeRawBufferPointer(rebasing: array[text..<text + length]).assumingMemoryBound(to: UInt8.self)
    }
}
