/// Keeps calls alive whose work runs on threads of its own, until these have ended.
final class CallsUnderWay {
    private var calls: [ObjectIdentifier: (call: AnyObject, folder: String?)] = [:]

    /// The most calls at a time. One may hang forever if a side does not respond.
    private static let most = 8

    /// Keeps a call until it is let go; false if there are too many.
    ///
    /// - Parameter folder: The ID of the folder that it changes; nil if it changes none.
    func keep(_ call: AnyObject, for folder: String? = nil) -> Bool {
        guard calls.count < Self.most else { return false }
        calls[ObjectIdentifier(call)] = (call, folder)
        return true
    }

    /// Whether a call changes this folder.
    func isUnderWay(for folder: String) -> Bool { calls.values.contains { $0.folder == folder } }

    func letGo(_ call: AnyObject) { calls[ObjectIdentifier(call)] = nil }
}
