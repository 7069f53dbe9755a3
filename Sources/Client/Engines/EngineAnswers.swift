internal import DBus

/// What the engines answered that were asked the same.
package struct EngineAnswers<Answer: Sendable>: Sendable {
    /// The answers, that of the bundled engine first.
    package private(set) var answers: [Answer] = []
    /// Why engines gave no answer.
    package private(set) var failures: [any Error] = []
    /// The refusals of engines that cannot do what was asked.
    package private(set) var unable: [any Error] = []

    /// - Throws: The error of an engine if none answered. A bundled engine that does not run is an error only then: who
    ///   uses another one needs no worker.
    init(_ results: [(engine: Engine, result: Result<Answer, any Error>)]) throws {
        var missing: (any Error)?
        for (engine, result) in results {
            switch result {
            case .success(let answer): answers.append(answer)
            case .failure(let error as DBusError) where engine.isBundled && error.isMissingService: missing = error
            case .failure(ClientError.engineCannot(let name)): unable.append(ClientError.engineCannot(engine: name))
            case .failure(let error): failures.append(error)
            }
        }
        if answers.isEmpty, let error = failures.first ?? missing ?? unable.first { throw error }
    }
}
