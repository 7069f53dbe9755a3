import Glibc
import RoundelBus
import Support
import SystemPackage

/// The arguments of the process in a form that the parser accepts, without losing a byte.
///
/// The parser works on text, but a path may contain any bytes. An argument that is not UTF-8 becomes the canonical
/// `file://` URI of its path, which every verb accepts in place of a path.
struct ArgumentVector {
    /// The arguments, without the name of the program.
    let arguments: [String]

    init(_ vector: [[UInt8]], resolver: PathSpelling) throws {
        var isOperand = false
        arguments = try vector.map { bytes in
            if let text = String(validating: bytes, as: UTF8.self) {
                if text == "--" { isOperand = true }
                return text
            }
            // An argument that looks like an option is not a path; the parser should reject it.
            if bytes.first == UInt8(ascii: "-"), !isOperand { return DisplayText.decoding(bytes) }
            return try ItemArgument(path: FilePath(bytes: bytes), resolver: resolver).uri.uri
        }
    }

    /// The arguments that this process was started with.
    static func ofThisProcess() throws -> ArgumentVector {
        var vector: [[UInt8]] = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[index] else { break }
            vector.append(Array(UnsafeRawBufferPointer(start: argument, count: strlen(argument))))
        }
        return try ArgumentVector(vector, resolver: .forThisProcess())
    }
}
