#pragma once

#include <QList>
#include <QString>

#include <optional>

class QVariant;

namespace roundel
{
/** One entry of a menu of the service. */
struct MenuItem {
    QString id;
    QString label;
    QString icon;
    bool isEnabled = true;
    std::optional<bool> isChecked; // nothing: no check mark
    bool isSeparator = false;
    QList<MenuItem> children;

    /** Reads a value of type aa{sv}; empty for another. */
    static QList<MenuItem> listFrom(const QVariant &value);

    /** Whether these items or those below them hold an enabled one with that id. */
    static bool offers(const QList<MenuItem> &items, const QString &id);
};
} // namespace roundel
