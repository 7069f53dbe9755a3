#include "badge-images.h"

#include <QDBusArgument>

namespace roundel
{
void BadgeImages::set(const QDBusArgument &value)
{
    clear();
    value.beginMap();
    while (!value.atEnd()) {
        QString identifier;
        QString label;
        QString icon;
        value.beginMapEntry();
        value >> identifier;
        value.beginStructure();
        value >> label >> icon;
        value.endStructure();
        value.endMapEntry();
        m_icons.insert(identifier, icon);
    }
    value.endMap();
}

void BadgeImages::clear()
{
    m_icons.clear();
}

QString BadgeImages::icon(const QString &identifier) const
{
    return m_icons.value(identifier);
}
} // namespace roundel
