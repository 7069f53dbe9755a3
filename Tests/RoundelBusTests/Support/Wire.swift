import RoundelBus

@testable import DBus

/// Messages without a bus.
enum Wire {
    /// A message with what `body` writes.
    static func message(_ body: (inout MessageWriter) throws -> Void) throws -> Message {
        try MessageWriter.message(.call(nil, "/", nil, "Test"), body)
    }

    /// What `read` makes of what `body` writes.
    static func pass<T>(
        _ body: (inout MessageWriter) throws -> Void, _ read: (inout MessageReader) throws -> T
    ) throws -> T {
        var reader = try message(body).reader
        let value = try read(&reader)
        try reader.expectEnd()
        return value
    }

    /// A map after a journey as a message.
    static func pass(_ map: VariantMap) throws -> VariantMap {
        try pass({ try $0.append(map: map) }, { try $0.readVariantMap() })
    }

    static func uri(_ path: String) -> ItemURI { (try? ItemURI("file://" + path)) ?? .root }

    static func names(_ names: [String]) -> [ItemName] { names.compactMap { try? ItemName($0) } }
}

/// The name of the error that `body` throws; nil if it throws none.
func errorName(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return (error as? DBusError)?.name ?? "\(error)"
    }
}
