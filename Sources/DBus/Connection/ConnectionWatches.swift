internal import CDBus
internal import Glibc

/// The watches with which libdbus reports what it waits for: one for reading and one for writing, on one descriptor.
///
/// Handling a watch avoids the additional poll(2) of `dbus_connection_read_write`.
final class ConnectionWatches {
    private var reading: OpaquePointer?
    private var writing: OpaquePointer?
    private(set) var fileDescriptor: Int32 = -1
    private var onChange: ((Interest) -> Void)?

    /// Takes over the watches of `connection` until `detach`.
    func attach(to connection: OpaquePointer) -> Bool {
        dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                ConnectionWatches.from(context)?.add(watch)
                return 1
            },
            { watch, context in ConnectionWatches.from(context)?.remove(watch) },
            { _, context in ConnectionWatches.from(context)?.changed() },
            Unmanaged.passUnretained(self).toOpaque(), nil) != 0
    }

    func detach(from connection: OpaquePointer) {
        onChange = nil
        dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }

    /// Calls `onChange` with what libdbus waits for, immediately and after each change.
    func follow(_ onChange: @escaping (Interest) -> Void) {
        self.onChange = onChange
        changed()
    }

    /// What libdbus currently waits for.
    var interest: Interest {
        var interest: Interest = []
        if let reading, dbus_watch_get_enabled(reading) != 0 { interest.insert(.read) }
        if let writing, dbus_watch_get_enabled(writing) != 0 { interest.insert(.write) }
        return interest
    }

    /// Whether there is data that libdbus would read now.
    var hasUnread: Bool {
        guard interest.contains(.read) else { return false }
        var entry = pollfd(fd: fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    /// Lets libdbus read and write.
    func handle(_ events: Interest) {
        let failure = events.contains(.failure) ? DBUS_WATCH_ERROR.rawValue | DBUS_WATCH_HANGUP.rawValue : 0
        if events.contains(.write), let writing { dbus_watch_handle(writing, DBUS_WATCH_WRITABLE.rawValue) }
        guard events.contains(.read) || failure != 0, let reading else { return }
        dbus_watch_handle(reading, (events.contains(.read) ? DBUS_WATCH_READABLE.rawValue : 0) | failure)
    }

    private func add(_ watch: OpaquePointer?) {
        guard let watch else { return }
        fileDescriptor = dbus_watch_get_unix_fd(watch)
        if dbus_watch_get_flags(watch) & DBUS_WATCH_WRITABLE.rawValue != 0 { writing = watch } else { reading = watch }
        changed()
    }

    private func remove(_ watch: OpaquePointer?) {
        if watch == reading { reading = nil }
        if watch == writing { writing = nil }
        changed()
    }

    private func changed() { onChange?(interest) }

    /// The pointer given to libdbus is this object, which its connection keeps alive until it detaches.
    private static func from(_ context: UnsafeMutableRawPointer?) -> ConnectionWatches? {
        context.map { Unmanaged<ConnectionWatches>.fromOpaque($0).takeUnretainedValue() }
    }
}
