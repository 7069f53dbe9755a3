internal import DBus
internal import Support

/// Logs why a message could not be sent. The end of the bus is no reason: the program ends then, and says so once.
/// - Parameter what: The beginning of a sentence, such as “The signal could not be sent”.
package func logUnsent(_ what: @autoclosure () -> String, _ error: any Error) {
    if (error as? DBusError)?.standard == .disconnected { return }
    log(.warning, "\(what()): \(error)")
}
