extension String {
    /// The text as it stands in the small markup that tooltips and notifications have.
    var escapedForMarkup: String {
        reduce(into: "") { result, character in
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
    }
}
