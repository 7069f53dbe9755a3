#include "item-details.h"

namespace roundel
{
/** The page shows the item itself, and nothing has to be made to ask again. */
static constexpr ItemMethods noObjects = {
    [](gpointer item) { return item; },
    [](gpointer) {},
    [](gpointer, DirectoryEntry *) {},
    [](gpointer, DirectoryEntry *) {},
    [](gpointer) {},
};

HostLinkEvents ItemDetails::linkEvents()
{
    HostLinkEvents events = {};
    events.connected = [](gpointer self) { static_cast<ItemDetails *>(self)->look(); };
    events.folders_changed = [](gpointer self) { static_cast<ItemDetails *>(self)->look(); };
    return events;
}

ObserverEvents ItemDetails::observerEvents()
{
    ObserverEvents events = {};
    events.values.item_changed = [](const char *directory, const char *name, BadgeChange, gpointer self) {
        attributes_item_changed(static_cast<ItemDetails *>(self)->m_attributes, directory, name);
    };
    events.directory_found = [](const char *, gpointer self) { static_cast<ItemDetails *>(self)->look(); };
    return events;
}

ItemDetails::ItemDetails(const QDBusConnection &bus, const QByteArray &uri, QObject *parent)
    : QObject(parent), m_connection(bus), m_uri(uri), m_slice(time_slice_new(g_get_monotonic_time)),
      m_attributes(attributes_new(m_connection.link()))
{
    g_autofree char *directory = item_uri_parent(m_uri.constData());
    m_directory = directory;
    const Habits habits = { TRUE, 0, FALSE, TRUE };
    const ObserverParts parts = { m_connection.link(), &m_slice, &noObjects, habits };
    // Both are copied. The observer hears of a service first, so that the directory is observed when this looks.
    const ObserverEvents observing = observerEvents();
    m_observer = observer_new(&parts, &observing, this);
    const HostLinkEvents events = linkEvents();
    host_link_listen(m_connection.link(), &events, this);
}

ItemDetails::~ItemDetails()
{
    if (m_follower != nullptr)
        attributes_unfollow(m_follower);
    if (m_isObserved)
        observer_hide(m_observer, m_directory.constData());
    attributes_free(m_attributes);
    observer_free(m_observer);
}

/** Changes are told of an observed directory alone. One outside of the registered folders is observed as well, because
 * a link may lead from it into one, which the service says. */
void ItemDetails::observe()
{
    m_isObserved = true;
    observer_request(m_observer, observer_track(m_observer, m_uri.constData(), this));
    observer_show(m_observer, m_directory.constData());
}

void ItemDetails::look()
{
    if (!m_isObserved && !m_directory.isEmpty() && folders_uris(host_link_folders(m_connection.link()))->len > 0)
        observe();
    if (m_follower == nullptr && observer_holds(m_observer, m_uri.constData()))
        follow();
}

void ItemDetails::follow()
{
    Q_EMIT found();
    m_follower = attributes_follow(
        m_attributes, m_uri.constData(),
        [](GVariant *values, gpointer self) { static_cast<ItemDetails *>(self)->onArrived(values); }, this);
}

void ItemDetails::onArrived(GVariant *values)
{
    g_autoptr(GTimeZone) zone = g_time_zone_new_local();
    g_autoptr(GArray) read = attribute_rows_read(values, zone);
    QList<Row> rows;
    for (guint i = 0; i < read->len; i++) {
        const AttributeRow *row = &g_array_index(read, AttributeRow, i);
        rows.append({ QString::fromUtf8(row->name), QString::fromUtf8(row->value) });
    }
    Q_EMIT arrived(rows);
}
} // namespace roundel
