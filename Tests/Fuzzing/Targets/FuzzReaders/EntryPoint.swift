import Glibc

/// The one that is fuzzed: `ROUNDEL_READER` names it.
private let reader: Reader = {
    guard let name = getenv("ROUNDEL_READER"), let reader = Reader(rawValue: String(cString: name)) else {
        preconditionFailure("ROUNDEL_READER names no reader")
    }
    return reader
}()

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    reader.read(UnsafeRawBufferPointer(start: bytes, count: count))
    return 0
}
