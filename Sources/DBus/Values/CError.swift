internal import CDBus

/// An error structure of libdbus, which is freed at the end.
struct CError: ~Copyable {
    var value = CDBus.DBusError()

    init() { dbus_error_init(&value) }
    deinit {
        var value = value
        dbus_error_free(&value)
    }

    mutating func taken() -> DBusError {
        guard let name = value.name else { return .outOfMemory }
        let sentence = value.message.map { String(cString: $0) } ?? "libdbus gave no reason."
        return DBusError(name: String(cString: name), message: sentence)
    }
}
