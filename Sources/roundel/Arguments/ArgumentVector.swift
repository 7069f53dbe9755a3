import Glibc
import RoundelBus
import SystemPackage

/// The arguments of the process as the parser can take them, without losing a byte.
///
/// The parser works on text, but a path may hold any bytes. An argument that is not UTF-8 becomes the canonical
/// `file://` URI of the path that it names, which every verb takes in place of a path.
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
            // Something that starts like an option is none of ours; the parser shall say so.
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
