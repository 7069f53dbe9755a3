#pragma once

#include <QVariantList>

#include <glib.h>

/** D-Bus values as QtDBus has them and as the host library has them. */
namespace roundel::variants
{
/** The arguments of a message, a tuple. The caller owns it. */
GVariant *tupleOf(const QVariantList &arguments);

/** The children of a tuple of booleans, numbers, strings, arrays of strings and dictionaries of these. */
QVariantList listFrom(GVariant *tuple);

/** The dictionary, of type a{sv}; floating. */
GVariant *dictionaryOf(const QVariantMap &map);
} // namespace roundel::variants
