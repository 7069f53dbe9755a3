#include "properties-plugin.h"

#include "details-page.h"
#include "item-uri.h"
#include "words/words.h"

#include <KFileItem>
#include <KPluginFactory>

#include <QPointer>

using namespace roundel;

K_PLUGIN_CLASS_WITH_JSON(RoundelPropertiesPlugin, "roundelproperties.json")

RoundelPropertiesPlugin::RoundelPropertiesPlugin(QObject *dialog, const QVariantList &arguments)
    : KPropertiesDialogPlugin(qobject_cast<KPropertiesDialog *>(dialog))
{
    Q_UNUSED(arguments)
    if (properties == nullptr || properties->items().size() != 1)
        return;
    const QByteArray uri = itemUri(properties->item().targetUrl());
    if (uri.isEmpty())
        return;
    auto *details = new ItemDetails(QDBusConnection::sessionBus(), uri, this);
    connect(details, &ItemDetails::found, this, [this, details] { addPage(details); });
}

RoundelPropertiesPlugin::~RoundelPropertiesPlugin() = default;

/** The dialog makes all its tabs anew for another page, and whoever types in one goes on. */
void RoundelPropertiesPlugin::addPage(ItemDetails *details)
{
    const QPointer<QWidget> focus = properties->focusWidget();
    properties->addPage(new DetailsPage(*details), QString::fromUtf8(_("Sync")));
    if (focus != nullptr)
        focus->setFocus();
}

#include "properties-plugin.moc"
