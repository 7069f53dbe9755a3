import DBus
import Glibc
import TestSupport
import Testing

@Suite struct RoundTripTests {
    @Test func randomValuesOfRandomTypesComeBackAsTheyWere() throws {
        var random = SeededRandom(for: "random round trip")
        let harness = try Harness()
        let service = try harness.connect()
        let client = try harness.connect()
        for _ in 0..<400 {
            let types = (0..<Int.random(in: 1...6, using: &random)).map { _ in random.type() }
            guard types.map(\.rawValue).joined().utf8.count <= 255 else { continue }
            let export = try service.exportEcho(types)
            for _ in 0..<8 {
                let values = types.map { random.value($0) }
                #expect(values.map(\.signature) == types)
                let reply = try harness.call(client, service.uniqueName, "/echo", "org.example.Echo", "Echo") {
                    writer in
                    for value in values { try writer.append(value: value) }
                }
                #expect(try reply.arguments() == values)
            }
            export.cancel()
        }
    }

    /// libdbus takes descriptors only value by value; everything beside them is written twice then.
    @Test func randomValuesBesideFileDescriptorsComeBackAsTheyWere() throws {
        var random = SeededRandom(for: "random round trip with descriptors")
        let harness = try Harness()
        let service = try harness.connect()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let pipeEnds = ends.map { OwnedFileDescriptor(owning: $0) }
        let files: [DBusValue] = [
            .fileDescriptor(pipeEnds[0]), .array(element: "h", pipeEnds.map { .fileDescriptor($0) }),
            .variant(.structure([.byte(1), .fileDescriptor(pipeEnds[1])])),
            .dictionary(key: "s", value: "h", [.init(key: .string("end"), value: .fileDescriptor(pipeEnds[1]))]),
        ]
        for _ in 0..<100 {
            let types = (0..<Int.random(in: 0...4, using: &random)).map { _ in random.type() }
            let values = (types.map { random.value($0) } + files).shuffled(using: &random)
            let signatures = values.map(\.signature)
            guard signatures.map(\.rawValue).joined().utf8.count <= 255 else { continue }
            let export = try service.exportEcho(signatures)
            let reply = try harness.call(service, service.uniqueName, "/echo", nil, "Echo") { writer in
                for value in values { try writer.append(value: value) }
            }
            #expect(try reply.arguments().map(\.withInodes) == values.map(\.withInodes))
            export.cancel()
        }
    }

    @Test func arraysInBulkComeBackAsTheyWere() throws {
        let harness = try Harness()
        let service = try harness.connect()
        let export = try service.exportEcho(["as", "au", "ay", "ad", "an", "at"])
        let strings = (0..<10_000).map { "file:///home/name/Überraschung-\($0)" }
        let words = (0..<10_000).map { UInt32($0) &* 2_654_435_761 }
        let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0) }
        let doubles = [0.5, -.infinity, .greatestFiniteMagnitude]
        let shorts: [Int16] = [-1, .min, .max]
        let reply = try harness.call(service, service.uniqueName, "/echo", nil, "Echo") { writer in
            try writer.append(strings: strings)
            try writer.append(fixed: words)
            try writer.append(bytes: bytes)
            try writer.append(fixed: doubles)
            try writer.append(fixed: shorts)
            try writer.append(fixed: [UInt64]())
        }
        var reader = reply.reader
        #expect(try reader.readStringArray() == strings)
        #expect(try reader.readUInt32Array() == words)
        #expect(try reader.readBytes() == bytes)
        #expect(try reader.readFixedArray(of: Double.self) == doubles)
        #expect(try reader.readFixedArray(of: Int16.self) == shorts)
        #expect(try reader.readFixedArray(of: UInt64.self) == [])
        try reader.expectEnd()
        var again = reply.reader
        var read: [String] = []
        try again.forEachString { read.append(String(decoding: $0, as: UTF8.self)) }
        #expect(read == strings)
        export.cancel()
    }

    @Test func stringsAreReadFromWhereverTheyStandInTheMessage() throws {
        var random = SeededRandom(for: "strings wherever they stand")
        let harness = try Harness()
        let service = try harness.connect()
        for before in 0..<8 {
            let export = try service.exportEcho(Array(repeating: "y", count: before) + ["as", "as", "s"])
            for count in [0, 1, 2, 50] {
                let strings = (0..<count).map { _ in String(repeating: "ä-", count: .random(in: 0...5, using: &random))
                }
                let reply = try harness.call(service, service.uniqueName, "/echo", nil, "Echo") { writer in
                    for byte in 0..<before { try writer.append(UInt8(byte)) }
                    try writer.append(strings: strings)
                    try writer.append(strings: strings.reversed())
                    try writer.append("end")
                }
                var reader = reply.reader
                for _ in 0..<before { _ = try reader.readByte() }
                #expect(try reader.readStringArray() == strings)
                #expect(try reader.readStringArray() == strings.reversed())
                #expect(try reader.readString() == "end")
            }
            export.cancel()
        }
    }

    @Test func nestedContainersAreReadAndWrittenWithClosures() throws {
        let harness = try Harness()
        let service = try harness.connect()
        let export = try service.exportEcho(["a(sa{sv})", "a{u(sb)}", "v"])
        let map: VariantMap = ["watch": .bool(true), "label": .string("Ä"), "tags": .strings(["a", "b"])]
        let reply = try harness.call(service, service.uniqueName, "/echo", nil, "Echo") { writer in
            try writer.appendArray(of: "(sa{sv})") { array in
                for name in ["one", "two"] {
                    try array.appendStruct { structure in
                        try structure.append(name)
                        try structure.append(map: map)
                    }
                }
            }
            try writer.appendDictionary(key: "u", value: "(sb)") { dictionary in
                try dictionary.entry { entry in
                    try entry.append(UInt32(7))
                    try entry.appendStruct { structure in
                        try structure.append("seven")
                        try structure.append(true)
                    }
                }
            }
            try writer.appendVariant(of: "as") { try $0.append(strings: ["x"]) }
        }
        var reader = reply.reader
        let folders = try reader.readArray { array in
            try array.readStruct { structure in (try structure.readString(), try structure.readVariantMap()) }
        }
        #expect(folders.map(\.0) == ["one", "two"])
        #expect(folders.allSatisfy { $0.1 == map })
        #expect(folders[0].1.strings("tags") == ["a", "b"])
        #expect(folders[0].1.string("watch") == nil)
        var sevens: [UInt32: String] = [:]
        try reader.readDictionary { entry in
            let key = try entry.readUInt32()
            sevens[key] = try entry.readStruct { try $0.readString() }
        }
        #expect(sevens == [7: "seven"])
        #expect(try reader.readVariant { try $0.readStringArray() } == ["x"])
        export.cancel()
    }
}

extension DBusValue {
    /// The same value with the number of what each descriptor is open on in its place.
    fileprivate var withInodes: DBusValue {
        switch self {
        case .fileDescriptor(let descriptor):
            var status = stat()
            return .uint64(
                fstat(descriptor.number, &status) == 0 ? UInt64(status.st_ino) << 1 | isReadEnd(descriptor) : 0)
        case .array(let element, let values): return .array(element: element, values.map(\.withInodes))
        case .structure(let members): return .structure(members.map(\.withInodes))
        case .dictionary(let key, let value, let entries):
            return .dictionary(
                key: key, value: value, entries.map { .init(key: $0.key.withInodes, value: $0.value.withInodes) })
        case .variant(let value): return .variant(value.withInodes)
        case .byte, .bool, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature:
            return self
        }
    }

    private func isReadEnd(_ descriptor: OwnedFileDescriptor) -> UInt64 {
        fcntl(descriptor.number, F_GETFL) & O_ACCMODE == O_RDONLY ? 1 : 0
    }
}
