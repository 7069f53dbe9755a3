import DBus
import TestSupport
import Testing

/// Writes nonsense: whatever a program does with a writer ends in an error or in a message that the bus takes.
@Suite struct WriterFuzzTests {
    @Test func whateverIsWrittenIsRefusedOrAValidMessage() throws {
        var random = SeededRandom(for: "writer fuzz")
        let harness = try Harness()
        let connection = try harness.connect()
        var accepted = 0
        var refused = 0
        for round in 0..<20_000 {
            do {
                try connection.emit("/fuzz", "org.example.Fuzz", "Fuzz", to: connection.uniqueName) { writer in
                    try random.scribble(on: &writer, depth: 0)
                }
                accepted += 1
            } catch is DBusError { refused += 1 }
            guard round % 500 == 0 else { continue }
            // A bus that was sent a malformed message closes the connection.
            _ = try harness.call(connection, connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        }
        _ = try harness.call(connection, connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
        #expect(accepted > 1000 && refused > 1000)
    }
}

extension SeededRandom {
    fileprivate mutating func scribble(on writer: inout MessageWriter, depth: Int) throws {
        for _ in 0..<Int.random(in: 0...3, using: &self) {
            do { try scribbleOnce(on: &writer, depth: depth) } catch {
                // Some programs go on after an error.
                guard Int.random(in: 0..<4, using: &self) == 0 else { throw error }
            }
        }
    }

    private mutating func scribbleOnce(on writer: inout MessageWriter, depth: Int) throws {
        let element = type(depth: 2)
        let fits = Bool.random(using: &self)
        switch Int.random(in: 0..<(depth > 5 ? 4 : 9), using: &self) {
        case 0: try writer.append(value: value(element))
        case 1: try writer.append(fixed: [UInt16](repeating: 3, count: Int.random(in: 0...3, using: &self)))
        case 2: try writer.append(strings: [string(), fits ? string() : "\0"])
        case 3:
            let bytes = (0..<Int.random(in: 0...3, using: &self)).map { _ in UInt8.random(in: 1...255, using: &self) }
            try bytes.withUnsafeBufferPointer { try writer.append(utf8: $0) }
        case 4:
            try writer.appendArray(of: element) { array in
                if fits {
                    for _ in 0..<2 { try array.append(value: value(element)) }
                } else {
                    try scribble(on: &array, depth: depth + 1)
                }
            }
        case 5, 6: try writer.appendStruct { try scribble(on: &$0, depth: depth + 1) }
        case 7:
            try writer.appendVariant(of: element) { variant in
                if fits {
                    try variant.append(value: value(element))
                } else {
                    try scribble(on: &variant, depth: depth + 1)
                }
            }
        default:
            let key: Signature = fits ? "s" : element
            try writer.appendDictionary(key: key, value: element) { dictionary in
                try dictionary.entry { entry in
                    try entry.append(value: value(key))
                    if fits {
                        try entry.append(value: value(element))
                    } else {
                        try scribble(on: &entry, depth: depth + 1)
                    }
                }
            }
        }
    }
}
