internal import DBus
internal import Glibc

/// The system bus, with the machine's own services.
enum SystemBus {
    /// Its address (D-Bus specification, "System message bus").
    static var address: BusAddress {
        .address(
            getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket")
    }
}
