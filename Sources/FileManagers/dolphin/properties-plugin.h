#pragma once

#include "item-details.h"

#include <KPropertiesDialog>
// KDE Frameworks 6 declares it in a header of its own, and 5 has none of this name.
#if __has_include(<KPropertiesDialogPlugin>)
#include <KPropertiesDialogPlugin>
#endif

#include <QVariantList>

/** A page of the properties dialog with what the service knows of the item. It comes when the service has said that the
 * item is in a synced folder, so that the dialog waits for nothing and other items have no such page. */
class RoundelPropertiesPlugin : public KPropertiesDialogPlugin
{
    Q_OBJECT

public:
    RoundelPropertiesPlugin(QObject *dialog, const QVariantList &arguments);
    ~RoundelPropertiesPlugin() override;

private:
    void addPage(roundel::ItemDetails *details);
};
