import DBus
import Glibc
import TestSupport
import Testing

/// What must end in an error, where libdbus itself would end the process.
@Suite struct LimitsAndMistakesTests {
    private let harness: Harness
    private let connection: Connection

    init() throws {
        harness = try Harness()
        connection = try harness.connect()
    }

    /// The error of a signal that `write` writes.
    private func failure(_ write: (inout MessageWriter) throws -> Void) -> DBusError? {
        do {
            try connection.emit("/x", "org.example.X", "X", write)
            return nil
        } catch { return error as? DBusError }
    }

    @Test(
        arguments: [
            [0xff], [0x61, 0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0xc3], [0],
            [0x61, 0, 0x62], [0xf8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func textThatDBusDoesNotPermitIsRefused(_ bytes: [UInt8]) {
        let error = failure { writer in try bytes.withUnsafeBufferPointer { try writer.append(utf8: $0) } }
        #expect(error?.standard == .invalidArgs)
    }

    @Test(arguments: ["", "a", "Übung", "漢字", "\u{1F600}", "\u{FFFE}", String(repeating: "ü", count: 5000)])
    func permittedTextIsTaken(_ text: String) {
        #expect(
            failure { writer in
                try Array(text.utf8).withUnsafeBufferPointer { try writer.append(utf8: $0) }
                try writer.append(text)
            } == nil)
    }

    @Test func aStringWithNulIsRefused() {
        #expect(failure { try $0.append("a\0b") }?.standard == .invalidArgs)
        #expect(failure { try $0.append(strings: ["a", "\0"]) }?.standard == .invalidArgs)
        #expect(failure { try $0.append(map: ["\0": .bool(true)]) }?.standard == .invalidArgs)
    }

    @Test func valuesThatTheContainerDoesNotHoldAreRefused() {
        #expect(failure { try $0.append(value: .array(element: "s", [.uint32(1)])) }?.standard == .invalidArgs)
        #expect(failure { try $0.append(value: .array(element: "(su)", [.structure([.string("a")])])) } != nil)
        #expect(failure { try $0.append(value: .array(element: "su", [])) } != nil)
        #expect(failure { try $0.append(value: .structure([])) } != nil)
        #expect(failure { try $0.append(value: .dictionary(key: "v", value: "s", [])) } != nil)
        #expect(
            failure {
                try $0.append(value: .dictionary(key: "s", value: "u", [.init(key: .string("a"), value: .bool(true))]))
            } != nil)
        #expect(failure { try $0.appendVariant(of: "u") { try $0.append("text") } } != nil)
        #expect(failure { try $0.appendVariant(of: "u") { _ in } } != nil)
        #expect(
            failure {
                try $0.appendVariant(of: "u") { variant in
                    try variant.append(UInt32(1))
                    try variant.append(UInt32(2))
                }
            } != nil)
        #expect(
            failure {
                try $0.appendArray(of: "(ss)") { array in try array.appendStruct { try $0.append("one of two") } }
            } != nil)
        #expect(failure { try $0.appendArray(of: "as") { try $0.append(fixed: [UInt32(1)]) } } != nil)
    }

    @Test func anErrorThatIsCaughtStillSpoilsTheMessage() {
        #expect(
            failure { writer in
                try? writer.append("\0")
                try writer.append("fine")
            }?.standard == .invalidArgs)
    }

    @Test func namesThatAreNotPermittedAreRefused() throws {
        #expect(throws: DBusError.self) { try connection.emit("/x", "nodots", "X") }
        #expect(throws: DBusError.self) { try connection.emit("/x", "org.example.X", "not a member") }
        #expect(throws: DBusError.self) { try connection.emit("/x", "org.example.X", "X", to: "not a name") }
        #expect(throws: DBusError.self) { try connection.callNoReply("a..b", "/x", nil, "X") }
        for path in ["", "x", "/x/", "//", "/x//y", "/ü", "/x.y"] {
            #expect(throws: DBusError.self) { try ObjectPath(path) }
        }
        for signature in [
            "a", "(", "()", "{sv}", "a{vs}", "a{s}", "z", "a{sv", String(repeating: "a", count: 33) + "y",
        ] {
            #expect(throws: DBusError.self) { try Signature(signature) }
        }
        #expect(throws: DBusError.self) { try connection.subscribe(MatchRule(interface: "x")) { _ in } }
    }

    @Test func arraysAndMessagesAboveTheMaximumAreRefused() {
        let large = [UInt8](repeating: 1, count: 60 << 20)
        let tooLarge = [UInt8](repeating: 1, count: (64 << 20) + 1)
        #expect(failure { try $0.append(bytes: tooLarge) }?.standard == .limitsExceeded)
        #expect(
            failure { writer in
                try writer.append(bytes: large)
                try writer.append(bytes: large)
                try writer.append(bytes: large)
            }?.standard == .limitsExceeded)
        #expect(
            failure { writer in
                try writer.appendArray(of: "ay") { array in
                    try array.append(bytes: large)
                    try array.append(bytes: large)
                }
            }?.standard == .limitsExceeded)
        #expect(connection.isConnected)
    }

    @Test func valuesNestedTooDeepAreRefused() throws {
        var value = DBusValue.byte(1)
        for _ in 0..<70 { value = .variant(value) }
        #expect(failure { try $0.append(value: value) }?.standard == .limitsExceeded)
        var array = DBusValue.array(element: "y", [])
        for _ in 0..<40 { array = .array(element: array.signature, [array]) }
        #expect(failure { try $0.append(value: array) } != nil)
        _ = try harness.call(connection, connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
    }

    @Test func moreArgumentsThanASignatureNamesAreRefused() throws {
        func bytes(_ count: Int) -> DBusError? { failure { for _ in 0..<count { try $0.append(UInt8(1)) } } }
        #expect(bytes(255) == nil)
        #expect(bytes(256)?.standard == .limitsExceeded)
        #expect(
            failure { writer in
                try writer.appendStruct { for _ in 0..<254 { try $0.append(UInt8(1)) } }
            }?.standard == .limitsExceeded)
        // An array's elements are named once.
        #expect(failure { try $0.appendArray(of: "y") { for _ in 0..<1000 { try $0.append(UInt8(1)) } } } == nil)
        #expect(
            failure { try $0.append(value: .variant(.structure(.init(repeating: .bool(true), count: 300)))) } != nil)
        func structures(_ count: Int, around value: DBusValue) -> DBusValue {
            count == 0 ? value : structures(count - 1, around: .structure([value]))
        }
        #expect(failure { try $0.append(value: structures(32, around: .byte(1))) } == nil)
        #expect(failure { try $0.append(value: structures(33, around: .byte(1))) } != nil)
        let inner = structures(20, around: .byte(1))
        let array = DBusValue.array(element: inner.signature, [inner])
        #expect(failure { try $0.append(value: structures(12, around: array)) } == nil)
        #expect(failure { try $0.append(value: structures(13, around: array)) } != nil)
        _ = try harness.call(connection, connection.uniqueName, "/", "org.freedesktop.DBus.Peer", "Ping")
    }

    @Test func aBodyThatReadsNothingOfAnElementSkipsIt() throws {
        let export = try connection.exportEcho(["au"])
        let reply = try harness.call(connection, connection.uniqueName, "/echo", nil, "Echo") {
            try $0.append(fixed: [1, 2, 3] as [UInt32])
        }
        var reader = reply.reader
        var count = 0
        try reader.forEachElement { _ in count += 1 }
        #expect(count == 3)
        reader.skip()
        #expect(reader.isAtEnd)
        export.cancel()
    }

    @Test func theDeepestPermittedNestingIsTakenByTheBus() throws {
        let export = try connection.exportEcho(["v"])
        var value = DBusValue.byte(1)
        for _ in 0..<60 { value = .variant(value) }
        let reply = try harness.call(connection, connection.uniqueName, "/echo", nil, "Echo") {
            try $0.append(value: value)
        }
        #expect(try reply.arguments() == [value])
        export.cancel()
    }

    @Test func readingAnotherTypeThanTheMessageHoldsIsAnError() throws {
        let export = try connection.exportEcho(["s", "au", "a{ss}"])
        let reply = try harness.call(connection, connection.uniqueName, "/echo", nil, "Echo") { writer in
            try writer.append("text")
            try writer.append(fixed: [UInt32(1)])
            try writer.appendDictionary(key: "s", value: "s") { _ in }
        }
        var reader = reply.reader
        #expect(throws: DBusError.self) { try reader.readUInt32() }
        #expect(throws: DBusError.self) { try reader.readStringArray() }
        #expect(try reader.readString() == "text")
        #expect(throws: DBusError.self) { try reader.readBytes() }
        #expect(throws: DBusError.self) { try reader.readStringArray() }
        #expect(throws: DBusError.self) { try reader.readStruct { _ in } }
        #expect(try reader.readUInt32Array() == [1])
        #expect(throws: DBusError.self) { try reader.readVariantMap() }
        #expect(throws: DBusError.self) { try reader.expectEnd() }
        reader.skip()
        #expect(throws: DBusError.self) { try reader.readBool() }
        #expect(reader.isAtEnd)
        export.cancel()
    }

    @Test func aFileDescriptorIsHandedOver() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let export = try connection.export(
            Interface(
                "org.example.Files",
                methods: [
                    .init("Write", in: [("file", "h")]) { call in
                        var reader = call.reader
                        let descriptor = try reader.readFileDescriptor()
                        defer { close(descriptor) }
                        #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
                        #expect(write(descriptor, "x", 1) == 1)
                        call.reply()
                    }
                ]), at: "/files")
        _ = try harness.call(connection, connection.uniqueName, "/files", nil, "Write") {
            try $0.append(fileDescriptor: ends[1])
        }
        close(ends[1])
        var byte: UInt8 = 0
        #expect(read(ends[0], &byte, 1) == 1)
        #expect(byte == UInt8(ascii: "x"))
        #expect(read(ends[0], &byte, 1) == 0)
        close(ends[0])
        #expect(failure { try $0.append(fileDescriptor: 9999) }?.standard == .invalidArgs)
        export.cancel()
    }
}
