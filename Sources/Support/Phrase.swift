/// The older form of ``tr(_:_:)``, for the catalogues of constants.
package enum Phrase {
    package static func text(_ text: StaticString, _ arguments: String...) -> String {
        Translation.current.sentence(text, arguments)
    }

    package static func text(_ text: StaticString, arguments: [String]) -> String {
        Translation.current.sentence(text, arguments)
    }

    package static func counted(
        _ count: some BinaryInteger, one: StaticString, other: StaticString, _ arguments: String...
    ) -> String {
        Translation.current.sentence(count, one: one, other: other, arguments)
    }
}
