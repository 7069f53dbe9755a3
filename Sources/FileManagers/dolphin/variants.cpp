#include "variants.h"

#include <QDBusArgument>
#include <QDBusObjectPath>
#include <QDBusSignature>
#include <QDBusUnixFileDescriptor>
#include <QDBusVariant>
#include <QStringList>
#include <QVector>

#include <vector>

namespace roundel::variants
{
static GVariant *valueOf(const QVariant &value);

/** How many bytes each offset takes after a body of that size, in GVariant's serialisation. */
static gsize offsetSize(gsize body, gsize count)
{
    gsize size = 1;
    while (size < 8 && body + count * size > (G_MAXUINT64 >> (64 - 8 * size)))
        size *= 2;
    return size;
}

/** Serialised at once, because each string by itself takes three allocations, and a message may hold ten thousand: the
 * strings, and then where each ends. */
static GVariant *stringsOf(const QStringList &strings)
{
    GByteArray *bytes = g_byte_array_new();
    std::vector<guint64> ends;
    ends.reserve(size_t(strings.size()));
    for (const QString &string : strings) {
        const QByteArray text = string.toUtf8();
        g_byte_array_append(bytes, reinterpret_cast<const guint8 *>(text.constData()), guint(text.size() + 1));
        ends.push_back(GUINT64_TO_LE(guint64(bytes->len)));
    }
    const gsize size = offsetSize(bytes->len, ends.size());
    for (const guint64 &end : ends)
        g_byte_array_append(bytes, reinterpret_cast<const guint8 *>(&end), guint(size));
    g_autoptr(GBytes) data = g_byte_array_free_to_bytes(bytes);
    return g_variant_new_from_bytes(G_VARIANT_TYPE_STRING_ARRAY, data, TRUE);
}

template <typename T> static GVariant *numbersOf(const char *type, const T &numbers)
{
    return g_variant_new_fixed_array(
        G_VARIANT_TYPE(type), numbers.constData(), gsize(numbers.size()), sizeof *numbers.constData());
}

/** What follows in an array, a structure or an entry that has begun. */
static void addFollowing(GVariantBuilder *builder, const QDBusArgument &argument)
{
    while (!argument.atEnd())
        g_variant_builder_add_value(builder, valueOf(argument.asVariant()));
}

static void addEntries(GVariantBuilder *builder, const QDBusArgument &argument)
{
    while (!argument.atEnd()) {
        argument.beginMapEntry();
        GVariant *key = valueOf(argument.asVariant());
        g_variant_builder_add_value(builder, g_variant_new_dict_entry(key, valueOf(argument.asVariant())));
        argument.endMapEntry();
    }
}

/** What QtDBus leaves to be read: an array, a structure or a dictionary. */
static GVariant *containerOf(const QDBusArgument &argument)
{
    const QByteArray type = argument.currentSignature().toLatin1();
    if (type == "au")
        return numbersOf("u", qdbus_cast<QVector<uint>>(argument));
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE(type.constData()));
    if (argument.currentType() == QDBusArgument::MapType) {
        argument.beginMap();
        addEntries(&builder, argument);
        argument.endMap();
    } else if (argument.currentType() == QDBusArgument::StructureType) {
        argument.beginStructure();
        addFollowing(&builder, argument);
        argument.endStructure();
    } else {
        argument.beginArray();
        addFollowing(&builder, argument);
        argument.endArray();
    }
    return g_variant_builder_end(&builder);
}

/** Every type that a message may have: what nobody knows is to be ignored, in whatever array it is. */
static GVariant *valueOf(const QVariant &value)
{
    const int type = value.userType();
    if (type == qMetaTypeId<QDBusArgument>())
        return containerOf(value.value<QDBusArgument>());
    if (type == qMetaTypeId<QDBusVariant>())
        return g_variant_new_variant(valueOf(value.value<QDBusVariant>().variant()));
    if (type == qMetaTypeId<QDBusObjectPath>())
        return g_variant_new_object_path(value.value<QDBusObjectPath>().path().toUtf8().constData());
    if (type == qMetaTypeId<QDBusSignature>())
        return g_variant_new_signature(value.value<QDBusSignature>().signature().toUtf8().constData());
    if (type == qMetaTypeId<QDBusUnixFileDescriptor>())
        return g_variant_new_handle(-1);
    switch (type) {
    case QMetaType::Bool:
        return g_variant_new_boolean(value.toBool());
    case QMetaType::UChar:
        return g_variant_new_byte(value.value<uchar>());
    case QMetaType::Short:
        return g_variant_new_int16(value.value<short>());
    case QMetaType::UShort:
        return g_variant_new_uint16(value.value<ushort>());
    case QMetaType::Int:
        return g_variant_new_int32(value.toInt());
    case QMetaType::UInt:
        return g_variant_new_uint32(value.toUInt());
    case QMetaType::LongLong:
        return g_variant_new_int64(value.toLongLong());
    case QMetaType::ULongLong:
        return g_variant_new_uint64(value.toULongLong());
    case QMetaType::Double:
        return g_variant_new_double(value.toDouble());
    case QMetaType::QStringList:
        return stringsOf(value.toStringList());
    case QMetaType::QByteArray:
        return numbersOf("y", value.toByteArray());
    case QMetaType::QVariantMap:
        return dictionaryOf(value.toMap());
    default:
        return g_variant_new_string(value.toString().toUtf8().constData());
    }
}

GVariant *dictionaryOf(const QVariantMap &map)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    for (auto entry = map.begin(); entry != map.end(); ++entry)
        g_variant_builder_add(&builder, "{sv}", entry.key().toUtf8().constData(), valueOf(entry.value()));
    return g_variant_builder_end(&builder);
}

static QVariant valueFrom(GVariant *value);

static QStringList stringsFrom(GVariant *array)
{
    QStringList strings;
    GVariantIter entries;
    const char *string;
    g_variant_iter_init(&entries, array);
    while (g_variant_iter_loop(&entries, "&s", &string))
        strings.append(QString::fromUtf8(string));
    return strings;
}

static QVariantMap mapFrom(GVariant *dictionary)
{
    QVariantMap map;
    GVariantIter entries;
    const char *key;
    GVariant *value;
    g_variant_iter_init(&entries, dictionary);
    while (g_variant_iter_loop(&entries, "{&sv}", &key, &value))
        map.insert(QString::fromUtf8(key), valueFrom(value));
    return map;
}

static QVariant valueFrom(GVariant *value)
{
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_BOOLEAN:
        return bool(g_variant_get_boolean(value));
    case G_VARIANT_CLASS_UINT32:
        return uint(g_variant_get_uint32(value));
    case G_VARIANT_CLASS_UINT64:
        return qulonglong(g_variant_get_uint64(value));
    case G_VARIANT_CLASS_ARRAY:
        return g_variant_is_of_type(value, G_VARIANT_TYPE_VARDICT) ? QVariant(mapFrom(value))
                                                                   : QVariant(stringsFrom(value));
    default:
        return QString::fromUtf8(g_variant_get_string(value, nullptr));
    }
}

GVariant *tupleOf(const QVariantList &arguments)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE_TUPLE);
    for (const QVariant &argument : arguments)
        g_variant_builder_add_value(&builder, valueOf(argument));
    return g_variant_ref_sink(g_variant_builder_end(&builder));
}

QVariantList listFrom(GVariant *tuple)
{
    QVariantList list;
    GVariantIter children;
    g_variant_iter_init(&children, tuple);
    while (GVariant *child = g_variant_iter_next_value(&children)) {
        list.append(valueFrom(child));
        g_variant_unref(child);
    }
    return list;
}
} // namespace roundel::variants
