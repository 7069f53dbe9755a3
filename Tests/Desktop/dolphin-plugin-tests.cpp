/* The parts of the plugins for Dolphin that need no window, on a bus of their own with a service that the tests play.
 */

#include "dolphin-exit.h"
#include "dolphin-fake-service.h"

#include "host-connection.h"
#include "item-details.h"
#include "item-uri.h"
#include "open-directories.h"
#include "shown-badges.h"
#include "variants.h"

#include <QDBusObjectPath>
#include <QDBusSignature>
#include <QRandomGenerator>
#include <QtTest>

#include <memory>

using namespace roundel;

class DolphinPluginTests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void urisHaveOneEncoding_data();
    void urisHaveOneEncoding();
    void everyNameSurvivesQUrl();
    void valuesKeepTheirTypes();
    void longColumnsStayWhole();
    void menusAreRead();

    void badgesAreAskedForInBatches();
    void aKnownBadgeAsksNothing();
    void aLinkIntoAFolderIsObserved();
    void elsewhereIsAskedAboutOnce();
    void nothingIsAskedWithoutFolders();
    void changesArrive();
    void aServiceThatGoesTakesItsBadges();
    void aResetBeginsAgain();
    void aResetForgetsWhatIsGone();
    void aRefusedRequestTakesNoBadges();
    void foldersThatComeLaterAreObserved();
    void wrongAnswersAreNoBadges();
    void unansweredCallsEndWithTheLink();
    void openCallsEndWithTheConnection();
    void repliesOfAFormerServiceDoNotCount();
    void anUnknownProgramObservesABoundedNumber();

    void detailsAreAskedForAndFollowed();
    void detailsComeWithALateService();
    void detailsOfALinkIntoAFolder();
    void nothingIsKnownOfOtherItems();

    void aPluginEndsAfterTheProgram();
};

/** How long anything may take, on a machine whose cores are all busy with something else as well. */
static constexpr int patience = 120000;

#define EVENTUALLY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, patience)
#define EVENTUALLY_EQUAL(value, expected) QTRY_COMPARE_WITH_TIMEOUT(value, expected, patience)

/** A link to a fake service, with everything that the overlay plugin is made of. */
struct World {
    World()
        : bus(std::make_unique<PrivateBus>()), host(bus->connect(QStringLiteral("host"))),
          connection(std::make_unique<HostConnection>(host)),
          badges(std::make_unique<ShownBadges>(connection->link(), open))
    {
        QObject::connect(badges.get(), &ShownBadges::changed, [this](const QUrl &item) { changed.append(item); });
    }

    ~World()
    {
        badges.reset();
        connection.reset();
        service.reset();
    }

    void startService()
    {
        service = std::make_unique<FakeService>(bus->connect(QStringLiteral("service%1").arg(++services)));
        service->folders = QStringList(QStringLiteral("file:///sync"));
    }

    void connectService()
    {
        startService();
        EVENTUALLY(connection->isConnected());
    }

    QString badge(const QString &path)
    {
        const Badge *known = badges->badge(QUrl::fromLocalFile(path));
        return known == nullptr ? QStringLiteral("not local") : QString::fromUtf8(known->identifier);
    }

    std::unique_ptr<PrivateBus> bus;
    QDBusConnection host;
    int services = 0;
    OpenDirectories open;
    std::unique_ptr<HostConnection> connection;
    std::unique_ptr<ShownBadges> badges;
    std::unique_ptr<FakeService> service;
    QList<QUrl> changed; // the items that look different, as they came
};

void DolphinPluginTests::urisHaveOneEncoding_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<QByteArray>("expected");
    const std::pair<const char *, const char *> rows[] = {
        { "file:///home/u/a.txt", "file:///home/u/a.txt" },
        { "file://localhost/home", "file:///home" },
        { "file:///home//u/", "file:///home/u" },
        { "file:///", "file:///" },
        { "file:///a%2db", "file:///a-b" },
        { "file:///a!$&'()*+,;=:@b", "file:///a%21%24%26%27%28%29%2A%2B%2C%3B%3D%3A%40b" },
        { "file:///%0a%c3%a4", "file:///%0A%C3%A4" },
        { "file:///%2541", "file:///%2541" },
        { "file:///...", "file:///..." },
        { "file://elsewhere/home", "" },
        { "http:///home", "" },
        { "trash:///a", "" },
        { "file:///a/../b", "" },
        { "file:///.", "" },
        { "file:///a?b", "" },
        { "file:///a#b", "" },
        { "", "" },
    };
    for (const auto &[given, expected] : rows)
        QTest::newRow(given) << QByteArray(given) << QByteArray(expected);
}

void DolphinPluginTests::urisHaveOneEncoding()
{
    QFETCH(QByteArray, given);
    QFETCH(QByteArray, expected);
    QCOMPARE(itemUri(QUrl(QString::fromUtf8(given))), expected);
}

/** Whatever a file that Dolphin can name is called, its URL and the service's URI become the same. */
void DolphinPluginTests::everyNameSurvivesQUrl()
{
    const QByteArray given = qgetenv("ROUNDEL_SEED");
    const quint32 seed = given.isEmpty() ? QRandomGenerator::global()->generate() : given.toUInt();
    qInfo("ROUNDEL_SEED=%u", seed);
    QRandomGenerator random(seed);
    for (int round = 0; round < 20000; round++) {
        QString name(QLatin1Char('n'));
        for (int length = random.bounded(1, 40); length > 0; length--) {
            const ushort unit = ushort(random.bounded(1, 0x3000));
            if (unit != '/')
                name.append(QChar(unit));
        }
        const QByteArray expected = "file:///d/" + name.toUtf8().toPercentEncoding();
        QCOMPARE(itemUri(QUrl::fromLocalFile(QLatin1String("/d/") + name)), expected);
    }
    const QString longest = QLatin1Char('/') + QString(4094, QLatin1Char('x'));
    QVERIFY(!itemUri(QUrl::fromLocalFile(longest)).isEmpty());
    QVERIFY(itemUri(QUrl::fromLocalFile(longest + QLatin1Char('x'))).isEmpty());
}

/** What the library sends arrives as it is, and what it is answered as well. */
void DolphinPluginTests::valuesKeepTheirTypes()
{
    g_autoptr(GVariant)
        sent = g_variant_ref_sink(g_variant_new_parsed("(@u 7, @t 18446744073709551615, true, 'text', ['a', 'b'], @as "
                                                       "[], {'number': <@u 3>, 'on': <true>}, @a{sv} {})"));
    const QVariantList list = variants::listFrom(sent);
    QCOMPARE(list.value(4).toStringList(), (QStringList{ QStringLiteral("a"), QStringLiteral("b") }));
    g_autoptr(GVariant) back = variants::tupleOf(list);
    QVERIFY(g_variant_equal(sent, back));
}

/** Of columns of every length, whose serialisation differs. */
void DolphinPluginTests::longColumnsStayWhole()
{
    for (const int count : { 1, 100, 120, 130, 10000, 13000, 14000, 100000 }) {
        QStringList names;
        GVariantBuilder expected;
        g_variant_builder_init(&expected, G_VARIANT_TYPE_STRING_ARRAY);
        for (int number = 0; number < count; number++) {
            names.append(number % 2 == 0 ? QString() : QChar(0xe4) + QString::number(number % 7));
            g_variant_builder_add(&expected, "s", names.last().toUtf8().constData());
        }
        g_autoptr(GVariant) whole = g_variant_ref_sink(g_variant_new("(as)", &expected));
        g_autoptr(GVariant) tuple = variants::tupleOf({ names });
        QVERIFY(g_variant_equal(whole, tuple));
        QCOMPARE(variants::listFrom(tuple).value(0).toStringList(), names);
    }
}

/** As a menu comes from the bus. */
void DolphinPluginTests::menusAreRead()
{
    World world;
    world.connectService();
    const QVariantMap leaf{ { QStringLiteral("id"), QStringLiteral("p/leaf") },
        { QStringLiteral("label"), QStringLiteral("Leaf") }, { QStringLiteral("checked"), false },
        { QStringLiteral("rules"), QVariantMap() } };
    // Of a later version, which is ignored.
    const QVariantMap later{ { QStringLiteral("paths"),
                                 QVariant::fromValue(QList<QDBusObjectPath>{ QDBusObjectPath(QStringLiteral("/a")) }) },
        { QStringLiteral("numbers"), QVariant::fromValue(QList<short>{ -1 }) },
        { QStringLiteral("signatures"),
            QVariant::fromValue(QList<QDBusSignature>{ QDBusSignature(QStringLiteral("s")) }) },
        { QStringLiteral("type"), QVariant::fromValue(ushort(1)) } };
    const QVariantMap off{ { QStringLiteral("id"), QStringLiteral("p/off") }, { QStringLiteral("enabled"), false } };
    const QVariantMap line{ { QStringLiteral("type"), QStringLiteral("separator") } };
    const QVariantMap branch{ { QStringLiteral("id"), QStringLiteral("p/branch") },
        { QStringLiteral("icon"), QStringLiteral("folder") },
        { QStringLiteral("children"), QVariant::fromValue(QList<QVariantMap>{ leaf, off, later }) } };
    world.service->menu = { branch, line, off };
    MenuAnswer answer{};
    world.connection->call("GetMenu", g_variant_new("()"), MENU_REPLY_TYPE,
        [&answer](GVariant *reply, const HostError *) { answer = menu_answer_read(reply); });
    EVENTUALLY(answer.items != nullptr);
    g_autoptr(GPtrArray) items = answer.items;
    QCOMPARE(int(items->len), 3);
    QCOMPARE(int(answer.menu_id), 7);
    const auto *first = static_cast<const MenuItem *>(g_ptr_array_index(items, 0));
    QCOMPARE(first->icon, "folder");
    QCOMPARE(int(first->children->len), 3);
    const auto *inner = static_cast<const MenuItem *>(g_ptr_array_index(first->children, 0));
    QCOMPARE(inner->label, "Leaf");
    QVERIFY(inner->check == MENU_UNCHECKED && inner->enabled);
    QVERIFY(static_cast<const MenuItem *>(g_ptr_array_index(items, 1))->is_separator);
    QVERIFY(menu_items_find_enabled(items, "p/leaf") != nullptr);
    QVERIFY(menu_items_find_enabled(items, "p/off") == nullptr);
    QVERIFY(menu_items_find_enabled(items, "p/branch") == nullptr);
}

void DolphinPluginTests::badgesAreAskedForInBatches()
{
    World world;
    world.connectService();
    for (int number = 0; number < 10000; number++)
        QCOMPARE(world.badge(QStringLiteral("/sync/%1").arg(number)), QString());
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("RequestBadges")), 5);
    for (int number = 0; number < 10000; number++)
        EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/%1").arg(number)), QStringLiteral("synced"));
    QTest::qWait(200);
    QCOMPARE(world.service->count(QStringLiteral("BeginObserving")), 1);
    QCOMPARE(world.service->count(QStringLiteral("RequestBadges")), 5);
    // What Dolphin shows it asks about first.
    QStringList expected;
    for (int number = 0; number < 10000; number++)
        expected.append(QString::number(number));
    QCOMPARE(world.service->requestedNames(), expected);
}

void DolphinPluginTests::aKnownBadgeAsksNothing()
{
    World world;
    world.connectService();
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    const int calls = int(world.service->calls.size());
    for (int round = 0; round < 1000; round++)
        QCOMPARE(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    QTest::qWait(200);
    QCOMPARE(int(world.service->calls.size()), calls);
}

void DolphinPluginTests::aLinkIntoAFolderIsObserved()
{
    World world;
    world.connectService();
    world.badge(QStringLiteral("/link/a"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/link/a")), QStringLiteral("synced"));
    world.service->changeBadges(
        world.host.baseService(), QStringLiteral("file:///link"), { QStringLiteral("a") }, QStringLiteral("error"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/link/a")), QStringLiteral("error"));
    QCOMPARE(world.service->count(QStringLiteral("BeginObserving")), 1);
}

void DolphinPluginTests::elsewhereIsAskedAboutOnce()
{
    World world;
    world.connectService();
    world.service->elsewhere = QStringList(QStringLiteral("file:///elsewhere"));
    for (int number = 0; number < 100; number++)
        world.badge(QStringLiteral("/elsewhere/%1").arg(number));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    QTest::qWait(200);
    world.badge(QStringLiteral("/elsewhere/later"));
    Q_EMIT world.open.mayHaveChanged();
    QTest::qWait(200);
    QCOMPARE(int(world.service->calls.size()), 1);
}

void DolphinPluginTests::nothingIsAskedWithoutFolders()
{
    World world;
    world.startService();
    world.service->folders.clear();
    EVENTUALLY(world.connection->isConnected());
    world.badge(QStringLiteral("/elsewhere/a"));
    QVERIFY(world.badges->badge(QUrl(QStringLiteral("sftp://host/sync/a"))) == nullptr);
    QTest::qWait(200);
    QCOMPARE(int(world.service->calls.size()), 0);
}

void DolphinPluginTests::changesArrive()
{
    World world;
    world.connectService();
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    EVENTUALLY_EQUAL(int(world.changed.size()), 1);
    world.service->changeBadges(world.host.baseService(), QStringLiteral("file:///sync"),
        { QStringLiteral("a"), QStringLiteral("unknown") }, QStringLiteral("error"));
    EVENTUALLY_EQUAL(int(world.changed.size()), 2);
    QCOMPARE(world.changed[1], QUrl::fromLocalFile(QStringLiteral("/sync/a")));
    QCOMPARE(world.badge(QStringLiteral("/sync/a")), QStringLiteral("error"));
}

void DolphinPluginTests::aServiceThatGoesTakesItsBadges()
{
    World world;
    world.badge(QStringLiteral("/sync/a"));
    world.connectService();
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    EVENTUALLY_EQUAL(int(world.changed.size()), 1);
    world.service.reset();
    EVENTUALLY_EQUAL(int(world.changed.size()), 2);
    QCOMPARE(world.badge(QStringLiteral("/sync/a")), QString());
    world.connectService();
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    QCOMPARE(world.service->count(QStringLiteral("BeginObserving")), 1);
    QCOMPARE(world.service->count(QStringLiteral("RequestBadges")), 1);
}

void DolphinPluginTests::aResetBeginsAgain()
{
    World world;
    world.connectService();
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
    world.service->badge = QStringLiteral("paused");
    world.service->reset(world.host.baseService());
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("paused"));
    QCOMPARE(world.service->count(QStringLiteral("BeginObserving")), 2);
    QCOMPARE(world.service->count(QStringLiteral("EndObserving")), 0);
}

/** Of items without a badge those are asked for that the file manager still has: it asks about these when it is told.
 */
void DolphinPluginTests::aResetForgetsWhatIsGone()
{
    World world;
    world.connectService();
    for (const char *path : { "/sync/badged", "/sync/gone", "/sync/bare" }) {
        world.badge(QString::fromLatin1(path));
        EVENTUALLY_EQUAL(world.badge(QString::fromLatin1(path)), QStringLiteral("synced"));
    }
    world.service->changeBadges(world.host.baseService(), QStringLiteral("file:///sync"),
        { QStringLiteral("gone"), QStringLiteral("bare") }, QString());
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/bare")), QString());
    connect(world.badges.get(), &ShownBadges::changed, this, [&world](const QUrl &item) {
        if (item.path() == QLatin1String("/sync/bare"))
            world.badge(item.path());
    });
    const qsizetype before = world.service->calls.size();
    world.service->badge = QStringLiteral("paused");
    world.service->reset(world.host.baseService());
    EVENTUALLY(world.service->requestedNames(before).contains(QStringLiteral("bare")));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/badged")), QStringLiteral("paused"));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/bare")), QStringLiteral("paused"));
    QStringList names = world.service->requestedNames(before);
    names.sort();
    QCOMPARE(names, (QStringList{ QStringLiteral("badged"), QStringLiteral("bare") }));
}

/** A refusal is of a whole page of names, and says nothing about any of them. */
void DolphinPluginTests::aRefusedRequestTakesNoBadges()
{
    World world;
    world.connectService();
    for (const char *path : { "/sync/a", "/sync/z" }) {
        world.badge(QString::fromLatin1(path));
        EVENTUALLY_EQUAL(world.badge(QString::fromLatin1(path)), QStringLiteral("synced"));
    }
    const int requests = world.service->count(QStringLiteral("RequestBadges"));
    world.service->refusesBadges = true;
    world.service->reset(world.host.baseService());
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("RequestBadges")), requests + 1);
    // What arrives after the refusal.
    for (const char *badge : { "error", "paused" }) {
        world.service->changeBadges(world.host.baseService(), QStringLiteral("file:///sync"), { QStringLiteral("z") },
            QString::fromLatin1(badge));
        EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/z")), QString::fromLatin1(badge));
    }
    QCOMPARE(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
}

void DolphinPluginTests::foldersThatComeLaterAreObserved()
{
    World world;
    world.connectService();
    world.service->elsewhere = QStringList(QStringLiteral("file:///late"));
    world.badge(QStringLiteral("/late/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    QTest::qWait(100);
    world.service->elsewhere.clear();
    world.service->setFolders({ QStringLiteral("file:///sync"), QStringLiteral("file:///late") });
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/late/a")), QStringLiteral("synced"));
}

void DolphinPluginTests::wrongAnswersAreNoBadges()
{
    World world;
    world.connectService();
    world.service->answersWrongly = true;
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    QTest::qWait(100);
    QCOMPARE(world.badge(QStringLiteral("/sync/a")), QString());
    QCOMPARE(world.service->count(QStringLiteral("RequestBadges")), 0);
}

/** What is still open is answered by the bus, when nobody wants it any more. */
void DolphinPluginTests::unansweredCallsEndWithTheLink()
{
    World world;
    world.connectService();
    world.service->isSilent = true;
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    world.badges.reset();
    world.connection.reset();
    world.service.reset();
    QDBusConnection::disconnectFromBus(QStringLiteral("service1"));
    QTest::qWait(100);
}

/** What is left of them is found when the program ends. */
void DolphinPluginTests::openCallsEndWithTheConnection()
{
    World world;
    world.connectService();
    world.service->isSilent = true;
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
}

/** A call that one service leaves open is answered when it is gone; by then another one is asked. */
void DolphinPluginTests::repliesOfAFormerServiceDoNotCount()
{
    World world;
    world.connectService();
    world.service->isSilent = true;
    world.badge(QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    const QDBusMessage open = world.service->calls.first();
    world.service.reset();
    EVENTUALLY(!world.connection->isConnected());
    QDBusConnection(QStringLiteral("service1")).send(open.createReply({ true, QVariantMap() }));
    QTest::qWait(100);
    QCOMPARE(world.badge(QStringLiteral("/sync/a")), QString());
    world.connectService();
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/a")), QStringLiteral("synced"));
}

/** There is no window here that could be asked. */
void DolphinPluginTests::anUnknownProgramObservesABoundedNumber()
{
    World world;
    world.connectService();
    for (int number = 0; number < 100; number++)
        world.badge(QStringLiteral("/sync/%1/a").arg(number));
    EVENTUALLY_EQUAL(world.badge(QStringLiteral("/sync/99/a")), QStringLiteral("synced"));
    EVENTUALLY_EQUAL(
        world.service->count(QStringLiteral("BeginObserving")) - world.service->count(QStringLiteral("EndObserving")),
        64);
}

// The end

/** Calls that are still unanswered are left where they are when the program ends, which is no leak that counts. */
/** What a page of the properties dialog shows, of an item at that path. */
struct Details {
    Details(const QDBusConnection &host, const QString &path) : details(host, itemUri(QUrl::fromLocalFile(path)))
    {
        QObject::connect(&details, &ItemDetails::found, [this] { found++; });
        QObject::connect(&details, &ItemDetails::arrived, [this](const QList<ItemDetails::Row> &rows) {
            shown.clear();
            for (const ItemDetails::Row &row : rows)
                shown.append(row.name + QLatin1Char('=') + row.value);
        });
    }

    ItemDetails details;
    int found = 0;
    QStringList shown;
};

static const QVariantMap syncedAttributes{ { QStringLiteral("label"), QStringLiteral("Synced") },
    { QStringLiteral("tags"), QStringList{ QStringLiteral("red"), QStringLiteral("work") } } };

/** Once when the dialog opens and once for each change of the item's badge, until it is closed. */
void DolphinPluginTests::detailsAreAskedForAndFollowed()
{
    World world;
    world.startService();
    world.service->attributes = syncedAttributes;
    auto page = std::make_unique<Details>(world.host, QStringLiteral("/sync/a"));
    EVENTUALLY_EQUAL(page->shown, QStringList({ QStringLiteral("State=Synced"), QStringLiteral("Tags=red, work") }));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("RequestBadges")), 1);
    world.service->attributes = { { QStringLiteral("label"), QStringLiteral("Error") } };
    world.service->changeBadges(
        world.host.baseService(), QStringLiteral("file:///sync"), { QStringLiteral("a") }, QStringLiteral("error"));
    EVENTUALLY_EQUAL(page->shown, QStringList(QStringLiteral("State=Error")));
    QCOMPARE(page->found, 1);
    const int asked = world.service->count(QStringLiteral("GetAttributes"));
    page.reset();
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("EndObserving")), 1);
    world.service->changeBadges(
        world.host.baseService(), QStringLiteral("file:///sync"), { QStringLiteral("a") }, QStringLiteral("synced"));
    QTest::qWait(200);
    QCOMPARE(world.service->count(QStringLiteral("GetAttributes")), asked);
}

/** The dialog was there first; and what a service that went has said is shown no more. */
void DolphinPluginTests::detailsComeWithALateService()
{
    World world;
    Details page(world.host, QStringLiteral("/sync/a"));
    QTest::qWait(100);
    QCOMPARE(page.found, 0);
    world.startService();
    world.service->attributes = syncedAttributes;
    EVENTUALLY_EQUAL(int(page.shown.size()), 2);
    world.service.reset();
    EVENTUALLY_EQUAL(int(page.shown.size()), 0);
    world.startService();
    world.service->attributes = syncedAttributes;
    EVENTUALLY_EQUAL(int(page.shown.size()), 2);
    QCOMPARE(page.found, 1);
}

void DolphinPluginTests::detailsOfALinkIntoAFolder()
{
    World world;
    world.startService();
    world.service->attributes = syncedAttributes;
    Details page(world.host, QStringLiteral("/link/a"));
    EVENTUALLY_EQUAL(int(page.shown.size()), 2);
}

void DolphinPluginTests::nothingIsKnownOfOtherItems()
{
    World world;
    world.startService();
    world.service->elsewhere = QStringList(QStringLiteral("file:///elsewhere"));
    Details page(world.host, QStringLiteral("/elsewhere/a"));
    EVENTUALLY_EQUAL(world.service->count(QStringLiteral("BeginObserving")), 1);
    QTest::qWait(200);
    QCOMPARE(page.found, 0);
    QCOMPARE(world.service->count(QStringLiteral("GetAttributes")), 0);
}

void DolphinPluginTests::aPluginEndsAfterTheProgram()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("ASAN_OPTIONS"), QStringLiteral("detect_leaks=0"));
    QProcess program;
    program.setProcessEnvironment(environment);
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QCoreApplication::applicationFilePath(), { QString::fromLatin1(exitingProgram) });
    QVERIFY(program.waitForFinished(patience));
    const QByteArray said = program.readAll();
    QVERIFY2(said.isEmpty(), said.constData());
    QCOMPARE(program.exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.exitCode(), 0);
}

int main(int argc, char *argv[])
{
    if (argc > 1 && qstrcmp(argv[1], exitingProgram) == 0)
        return exitWithATimer(argc, argv);
    QCoreApplication application(argc, argv);
    DolphinPluginTests tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "dolphin-plugin-tests.moc"
