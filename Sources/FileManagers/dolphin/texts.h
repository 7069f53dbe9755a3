#pragma once

#include <QCoreApplication>
#include <QString>

/** All texts of the plugins themselves; other texts come from the service. A translator that is installed for this
 * context is used. */
namespace roundel::texts
{
inline QString translated(const char *text)
{
    return QCoreApplication::translate("roundel", text);
}

inline QString serviceEnded()
{
    return translated("Roundel stopped before the action was finished.");
}

inline QString serviceAbsent()
{
    return translated("Roundel is not running.");
}

inline QString noLongerOffered()
{
    return translated("This is no longer offered. Please open the menu again.");
}
} // namespace roundel::texts
