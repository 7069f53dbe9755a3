/// Waits until something has happened, so that a test that waits in vain fails and does not hang.
///
/// - Parameters:
///   - what: What is waited for, in words.
///   - condition: Whether it has happened; asked again and again.
/// - Throws: ``Failure`` after four minutes, which a busy machine does not need.
public func eventually(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + .seconds(240)
    while try await !condition() {
        guard ContinuousClock.now < end else { throw Failure("waited in vain: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}
