internal import RoundelBus
package import Support

/// What the engine says about providers.
extension Texts {
    static func failedToAnswer(_ provider: String, _ problem: String) -> String {
        Phrase.text("The provider {1} failed to answer: {2}", provider, problem)
    }

    static var endedUnexpectedly: String { Phrase.text("It ended unexpectedly.") }
    static var answeredWrongly: String { Phrase.text("It answered with the wrong type or length.") }

    /// A provider ended before it finished an action.
    static func endedBeforeFinished(_ provider: ProviderID) -> String {
        Phrase.text("The provider {1} ended before the action was finished.", provider.rawValue)
    }

    /// A call with more images than a provider may have.
    package static func tooManyBadgeImages(_ limit: Int) -> String {
        Phrase.counted(
            limit, one: "A provider can give at most {1} badge image.",
            other: "A provider can give at most {1} badge images.")
    }
}
