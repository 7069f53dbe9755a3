import CDBus
import TestSupport
import Testing

@testable import DBus

/// Reads messages that are nearly right, in ways that fit them and in ways that do not: libdbus checks them, the readers
/// trust what it lets pass.
@Suite struct ReaderFuzzTests {
    /// The bytes of messages with random arguments.
    ///
    /// The foreign one is among them so often that some of its kind are read whatever the seed.
    private static func samples(_ random: inout SeededRandom) throws -> [[UInt8]] {
        try (0..<200).map { _ in
            let message = try MessageWriter.message(.signal("/x", "org.example.X", "X", to: nil)) { writer in
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    try writer.append(value: random.value(random.type()))
                }
                if Bool.random(using: &random) { try writer.append(strings: (0..<3).map { _ in random.string() }) }
            }
            dbus_message_set_serial(message.pointer, 1)
            var bytes: UnsafeMutablePointer<CChar>?
            var count: Int32 = 0
            try #require(dbus_message_marshal(message.pointer, &bytes, &count) != 0)
            defer { dbus_free(bytes) }
            return UnsafeRawBufferPointer(start: bytes, count: Int(count)).map(\.self)
        } + Array(repeating: foreign, count: 20)
    }

    /// A signal with an `as` in the byte order of other machines.
    private static var foreign: [UInt8] {
        func number(_ number: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(number).bigEndian, Array.init) }
        func padded(_ bytes: [UInt8], to alignment: Int) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: -bytes.count & (alignment - 1))
        }
        func text(_ text: String) -> [UInt8] { number(text.utf8.count) + Array(text.utf8) + [0] }
        var fields: [UInt8] = []
        for (field, type, value) in [(1, "o", "/x"), (2, "s", "org.example.X"), (3, "s", "X")] {
            fields = padded(fields, to: 8) + [UInt8(field), 1] + Array(type.utf8) + [0] + text(value)
        }
        fields = padded(fields, to: 8) + [8, 1] + Array("g".utf8) + [0, 2] + Array("as".utf8) + [0]
        let strings = padded(text("one"), to: 4) + text("two")
        let body = number(strings.count) + strings
        let header = Array("B".utf8) + [4, 0, 1] + number(body.count) + number(1) + number(fields.count) + fields
        return padded(header, to: 8) + body
    }

    @Test func whateverLibdbusLetsPassIsRead() throws {
        var random = SeededRandom(for: "reader fuzz")
        var mutator = ByteMutator(random, samples: try Self.samples(&random))
        var passed = 0
        var foreign = 0
        try mutator.run(6000) { mutator, bytes in
            let message = try? bytes.withUnsafeBytes { try MessageHeader.demarshal($0) }
            guard let message else { return }
            passed += 1
            if bytes[0] == UInt8(ascii: "B") { foreign += 1 }
            try Self.read(message, &mutator.random)
        }
        #expect(passed > 200 && foreign > 0)
    }

    /// Reads everything, then the same in another way, then what is not there.
    private static func read(_ message: Message, _ random: inout SeededRandom) throws {
        guard let values = try? message.arguments() else { return }
        #expect(values.map(\.signature.rawValue).joined() == message.signature.rawValue)
        var reader = message.reader
        for value in values {
            if let strings = value.strings {
                #expect(try reader.readStringArray() == strings)
            } else if let bytes = value.bytes {
                #expect(try reader.readBytes() == bytes)
            } else if let map = value.map, !map.isEmpty {
                #expect("\(try reader.readVariantMap().keys.sorted())" == "\(map.keys.sorted())")
            } else {
                reader.skip()
            }
        }
        try reader.expectEnd()
        reader = message.reader
        for _ in 0..<6 { try? readAnything(&reader, &random, depth: 0) }
    }

    private static func readAnything(_ reader: inout MessageReader, _ random: inout SeededRandom, depth: Int) throws {
        guard depth < 6 else { return }
        switch Int.random(in: 0..<14, using: &random) {
        case 0: _ = try reader.readString()
        case 1: _ = try reader.readStringArray()
        case 2: try reader.forEachString { #expect(isPermittedText($0)) }
        case 3: _ = try reader.readVariantMap()
        case 4: _ = try reader.readFixedArray(of: UInt32.self)
        case 5: _ = try reader.readFixedArray(of: Double.self)
        case 6: _ = try reader.readBytes()
        case 7: _ = try reader.readArray { try readAnything(&$0, &random, depth: depth + 1) }
        case 8: try reader.readStruct { try readAnything(&$0, &random, depth: depth + 1) }
        case 9: try reader.readVariant { try readAnything(&$0, &random, depth: depth + 1) }
        case 10: try reader.readDictionary { try readAnything(&$0, &random, depth: depth + 1) }
        case 11: _ = try reader.readValue()
        case 12: _ = try reader.withString { isPermittedText($0) }
        default: reader.skip()
        }
    }
}
