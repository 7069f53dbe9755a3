public import DBus

extension DBusError {
    /// A refusal of Roundel's as it goes over the bus.
    public init(_ error: RoundelError) {
        self.init(name: error.code.name, message: error.message)
    }

    /// Which of Roundel's errors this is; nil for others.
    public var roundelCode: RoundelError.Code? { RoundelError.Code(name: name) }
}
