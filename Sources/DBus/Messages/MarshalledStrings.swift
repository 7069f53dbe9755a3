/// The strings of an `as` where they stand in their message, so that a long array costs no call for each of them.
///
/// libdbus hands out pointers into the body, which it holds as the D-Bus specification marshals it (section "Marshaling
/// (Wire Format)") and has validated: the array's length in bytes, then each string as its length, aligned to four
/// bytes, its UTF-8 and a NUL. The numbers have this machine's byte order as soon as the message is read.
struct MarshalledStrings {
    private let array: UnsafeRawBufferPointer
    private var offset = 0

    /// The elements of an array whose first one is `first`; nil: it is empty.
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
