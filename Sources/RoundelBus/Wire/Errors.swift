public import DBus

extension DBusError {
    /// Converts an error of Roundel for the bus.
    public init(_ error: RoundelError) {
        self.init(name: error.code.name, message: error.message)
    }

    /// The code of an error of Roundel; nil for other errors.
    public var roundelCode: RoundelError.Code? { RoundelError.Code(name: name) }
}
