#include "menu-item.h"

#include <QDBusArgument>

#include <algorithm>

namespace roundel
{
static MenuItem itemFrom(const QVariantMap &fields)
{
    MenuItem item;
    item.id = fields.value(QStringLiteral("id")).toString();
    item.label = fields.value(QStringLiteral("label")).toString();
    item.icon = fields.value(QStringLiteral("icon")).toString();
    item.isEnabled = fields.value(QStringLiteral("enabled"), true).toBool();
    const QVariant checked = fields.value(QStringLiteral("checked"));
    if (checked.isValid())
        item.isChecked = checked.toBool();
    item.isSeparator = fields.value(QStringLiteral("type")).toString() == QLatin1String("separator");
    item.children = MenuItem::listFrom(fields.value(QStringLiteral("children")));
    return item;
}

QList<MenuItem> MenuItem::listFrom(const QVariant &value)
{
    const auto array = value.value<QDBusArgument>();
    if (array.currentSignature() != QLatin1String("aa{sv}"))
        return {};
    QList<MenuItem> items;
    array.beginArray();
    while (!array.atEnd()) {
        QVariantMap fields;
        array >> fields;
        items.append(itemFrom(fields));
    }
    array.endArray();
    return items;
}

bool MenuItem::offers(const QList<MenuItem> &items, const QString &id)
{
    return std::any_of(items.begin(), items.end(), [&id](const MenuItem &item) {
        return item.isEnabled && (item.children.isEmpty() ? item.id == id : offers(item.children, id));
    });
}
} // namespace roundel
