#include "badge.h"

#include <QDBusArgument>

namespace roundel
{
bool Badge::isNone() const
{
    return identifier.isEmpty() && flags == 0;
}

bool Badge::looksLike(const Badge &other) const
{
    return flags == other.flags && identifier == other.identifier;
}

std::optional<BadgeColumns> BadgeColumns::fromArguments(const QVariantList &arguments, int first, int count)
{
    if (arguments.size() < first + 3)
        return std::nullopt;
    const BadgeColumns columns{ arguments[first].toStringList(), qdbus_cast<QList<uint>>(arguments[first + 1]),
        arguments[first + 2].toByteArray() };
    if (columns.identifiers.size() != count || columns.flags.size() != count || columns.progress.size() != count)
        return std::nullopt;
    return columns;
}

Badge BadgeColumns::at(int row) const
{
    return { identifiers[row], flags[row], static_cast<quint8>(progress[row]) };
}
} // namespace roundel
