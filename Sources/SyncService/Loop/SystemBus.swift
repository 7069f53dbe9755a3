internal import DBus
internal import Glibc

/// The bus of the machine, on which its own services are.
enum SystemBus {
    /// Where it is (D-Bus specification, "System message bus").
    static var address: BusAddress {
        .address(
            getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket")
    }
}
