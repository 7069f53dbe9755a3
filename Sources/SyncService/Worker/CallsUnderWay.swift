/// Keeps calls alive whose work runs on threads of its own, until these have ended.
final class CallsUnderWay {
    private var calls: [ObjectIdentifier: AnyObject] = [:]

    /// The most calls at a time. One may hang forever if a side does not respond.
    private static let most = 8

    /// Keeps a call until it is let go; false if there are too many.
    func keep(_ call: AnyObject) -> Bool {
        guard calls.count < Self.most else { return false }
        calls[ObjectIdentifier(call)] = call
        return true
    }

    func letGo(_ call: AnyObject) { calls[ObjectIdentifier(call)] = nil }
}
