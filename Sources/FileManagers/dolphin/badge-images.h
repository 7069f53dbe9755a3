#pragma once

#include <QHash>
#include <QString>

class QDBusArgument;

namespace roundel
{
/** The service's `Badges` property: the icon of each badge identifier. */
class BadgeImages
{
public:
    /** Replaces them all by a value of type a{s(ss)}. */
    void set(const QDBusArgument &value);
    void clear();

    /** The icon's name; empty for an identifier that the service did not name. */
    QString icon(const QString &identifier) const;

private:
    QHash<QString, QString> m_icons;
};
} // namespace roundel
