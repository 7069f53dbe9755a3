internal import DBus
internal import Support

/// Sentences about what was seen.
enum Seen {
    static func times(_ count: Int) -> String {
        tr(count, one: "Kept once.", other: "Kept {1} times.")
    }

    static func error(_ member: String, _ error: DBusError) -> String {
        tr("{1} was answered with {2}: {3}", member, error.name, error.message)
    }

    static func type(_ member: String, _ found: String, _ expected: String) -> String {
        tr("{1} was answered with values of the type “{2}” instead of “{3}”.", member, found, expected)
    }

    static func silence(_ member: String) -> String { tr("{1} was not answered.", member) }
}
