internal import Glibc

/// The bytes of a message's arguments, marshalled as in the D-Bus specification (section "Marshaling (Wire Format)") in
/// this machine's byte order, and their signature.
///
/// There is room for the header before them, so that the whole message becomes one block of memory.
final class MarshalledBody {
    /// The types of the arguments.
    private(set) var signature: [UInt8] = []
    /// The descriptors of the message; each `h` of the body is an index into them.
    private(set) var descriptors: [OwnedFileDescriptor] = []
    private var memory: UnsafeMutableRawPointer
    private var capacity: Int
    private var end: Int
    /// The start of the body, a multiple of eight: offsets in the body have the same alignment as later in the message.
    let start: Int

    /// The initial size, which is enough for most messages of this program.
    private static let firstCapacity = 1024

    /// - Parameter room: The maximum size of the header in bytes.
    init(roomForHeader room: Int) {
        start = (room + 7) & ~7
        end = start
        capacity = start + Self.firstCapacity
        memory = .allocate(byteCount: capacity, alignment: 8)
    }

    deinit { memory.deallocate() }

    /// The current size of the arguments in bytes.
    var count: Int { end - start }

    /// The arguments.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: memory + start, count: count) }

    /// Returns the whole message after `writeHeader` has written `size` bytes that end where the body begins.
    func message(
        headerOf size: Int, _ writeHeader: (UnsafeMutableRawBufferPointer) -> Void
    ) -> UnsafeRawBufferPointer {
        let first = memory + (start - size)
        writeHeader(UnsafeMutableRawBufferPointer(start: first, count: size))
        return UnsafeRawBufferPointer(start: first, count: size + count)
    }

    /// Extends the body by `padding` zeros and then `size` bytes, and returns the address of these.
    @inline(__always)
    private func extend(padding: Int, by size: Int) -> UnsafeMutableRawPointer {
        if capacity - end < padding + size { grow(by: padding + size) }
        let place = memory + end
        // At most seven.
        for index in 0..<padding { place.storeBytes(of: 0, toByteOffset: index, as: UInt8.self) }
        end += padding + size
        return place + padding
    }

    private func grow(by size: Int) {
        capacity = max(2 * capacity, end + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
        larger.copyMemory(from: memory, byteCount: end)
        memory.deallocate()
        memory = larger
    }

    /// The alignment of values whose type begins with `code`.
    static func alignment(of code: UInt8) -> Int {
        switch code {
        case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
        case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
        case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
        default: 4
        }
    }

    /// Pads to the next multiple of `alignment`, a power of two up to 8.
    @inline(__always)
    func align(to alignment: Int) {
        let padding = -end & (alignment - 1)
        if padding > 0 { _ = extend(padding: padding, by: 0) }
    }

    /// Appends a number, aligned to its size.
    @inline(__always)
    func append<T: BitwiseCopyable>(_ value: T) {
        let size = MemoryLayout<T>.size
        extend(padding: -end & (size - 1), by: size).storeBytes(of: value, as: T.self)
    }

    /// Appends bytes unchanged.
    @inline(__always)
    func append(raw bytes: UnsafeRawBufferPointer) {
        let place = extend(padding: 0, by: bytes.count)
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
    }

    /// Appends a string: its length, the bytes and a NUL.
    @inline(__always)
    func append(text: UnsafeBufferPointer<UInt8>) {
        let place = extend(padding: -end & 3, by: 4 + text.count + 1)
        place.storeBytes(of: UInt32(text.count), as: UInt32.self)
        if let source = text.baseAddress { (place + 4).copyMemory(from: source, byteCount: text.count) }
        place.storeBytes(of: 0, toByteOffset: 4 + text.count, as: UInt8.self)
    }

    /// The distance between the starts of equal strings of `length` bytes.
    static func stride(ofText length: Int) -> Int { (4 + length + 1 + 3) & ~3 }

    /// Appends the last value, a string of `length` bytes, the given number of times more.
    func repeatText(of length: Int, times: Int) {
        let stride = Self.stride(ofText: length)
        let size = 4 + length + 1
        let place = extend(padding: 0, by: times * stride)
        let padding = stride - size
        for index in 0..<padding { place.storeBytes(of: 0, toByteOffset: index, as: UInt8.self) }
        // From the first one on, everything repeats after a stride; each copy doubles the copied part.
        let first = place - size
        var there = stride
        let all = size + times * stride
        while there < all {
            let part = min(there, all - there)
            (first + there).copyMemory(from: first, byteCount: part)
            there += part
        }
    }

    /// Appends a signature, whose length is one byte.
    func append(signature text: String) {
        append(UInt8(text.utf8.count))
        for byte in text.utf8 { append(byte) }
        append(UInt8(0))
    }

    /// Appends the length of an array, 0 until `closeArray`; returns its position.
    func openArray() -> Int {
        append(UInt32(0))
        return end - 4
    }

    /// Stores at `place` how many bytes were added after `first`.
    func closeArray(at place: Int, first: Int) {
        memory.storeBytes(of: UInt32(end - first), toByteOffset: place, as: UInt32.self)
    }

    /// The position of the next byte, for `closeArray`.
    var position: Int { end }

    /// Adds to the signature of the message.
    func declare(_ code: UInt8) { signature.append(code) }

    /// Adds to the signature of the message.
    func declare(_ types: String) { signature.append(contentsOf: types.utf8) }

    /// Appends an `h`; the body takes ownership of the descriptor.
    func append(descriptor: OwnedFileDescriptor) {
        append(UInt32(descriptors.count))
        descriptors.append(descriptor)
    }
}
