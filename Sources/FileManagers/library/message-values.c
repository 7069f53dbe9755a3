#include "message-values.h"

#include <string.h>
#include <unistd.h>

/* Reading */

static GVariant *read_value(DBusMessageIter *at);

/* All values up to the end. */
static void read_following(GVariantBuilder *builder, DBusMessageIter *at)
{
    while (dbus_message_iter_get_arg_type(at) != DBUS_TYPE_INVALID) {
        g_variant_builder_add_value(builder, read_value(at));
        dbus_message_iter_next(at);
    }
}

/* GLib keeps a truth value in one byte and D-Bus in four; all other types of a fixed size are the same. */
static gboolean is_taken_as_it_is(int type)
{
    return dbus_type_is_fixed(type) && type != DBUS_TYPE_BOOLEAN && type != DBUS_TYPE_UNIX_FD;
}

/* How many bytes each offset takes after a body of that size, in GVariant's serialisation. */
static gsize offset_size(gsize body, gsize count)
{
    gsize size = 1;
    while (size < 8 && body + count * size > (G_MAXUINT64 >> (64 - 8 * size)))
        size *= 2;
    return size;
}

/* Serialised at once, because each string by itself takes three allocations, and a message may hold ten thousand: the
 * strings, and then where each ends. */
static GVariant *read_strings(DBusMessageIter *elements)
{
    GByteArray *bytes = g_byte_array_new();
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (; dbus_message_iter_get_arg_type(elements) != DBUS_TYPE_INVALID; dbus_message_iter_next(elements)) {
        const char *text;
        dbus_message_iter_get_basic(elements, &text);
        g_byte_array_append(bytes, (const guint8 *)text, (guint)strlen(text) + 1);
        const guint64 end = GUINT64_TO_LE((guint64)bytes->len);
        g_array_append_val(ends, end);
    }
    const gsize size = offset_size(bytes->len, ends->len);
    for (guint i = 0; i < ends->len; i++)
        g_byte_array_append(bytes, (const guint8 *)&g_array_index(ends, guint64, i), (guint)size);
    g_autoptr(GBytes) data = g_byte_array_free_to_bytes(bytes);
    return g_variant_new_from_bytes(G_VARIANT_TYPE_STRING_ARRAY, data, TRUE);
}

static GVariant *read_array(DBusMessageIter *at)
{
    DBusMessageIter elements;
    const int type = dbus_message_iter_get_element_type(at);
    dbus_message_iter_recurse(at, &elements);
    if (is_taken_as_it_is(type)) {
        const void *values = NULL;
        int count = 0;
        const char element[] = { (char)type, '\0' };
        dbus_message_iter_get_fixed_array(&elements, &values, &count);
        const gsize size = type == DBUS_TYPE_BYTE                                ? 1
                           : type == DBUS_TYPE_INT16 || type == DBUS_TYPE_UINT16 ? 2
                           : type == DBUS_TYPE_INT32 || type == DBUS_TYPE_UINT32 ? 4
                                                                                 : 8;
        return g_variant_new_fixed_array(G_VARIANT_TYPE(element), values, (gsize)count, size);
    }
    if (type == DBUS_TYPE_STRING)
        return read_strings(&elements);
    char *signature = dbus_message_iter_get_signature(at);
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE(signature));
    read_following(&builder, &elements);
    dbus_free(signature);
    return g_variant_builder_end(&builder);
}

static GVariant *read_members(DBusMessageIter *at, const GVariantType *type)
{
    DBusMessageIter members;
    GVariantBuilder builder;
    dbus_message_iter_recurse(at, &members);
    g_variant_builder_init(&builder, type);
    read_following(&builder, &members);
    return g_variant_builder_end(&builder);
}

static GVariant *read_container(DBusMessageIter *at, int type)
{
    DBusMessageIter content;
    switch (type) {
    case DBUS_TYPE_ARRAY:
        return read_array(at);
    case DBUS_TYPE_STRUCT:
        return read_members(at, G_VARIANT_TYPE_TUPLE);
    case DBUS_TYPE_DICT_ENTRY:
        return read_members(at, G_VARIANT_TYPE_DICT_ENTRY);
    default:
        dbus_message_iter_recurse(at, &content);
        return g_variant_new_variant(read_value(&content));
    }
}

static GVariant *read_value(DBusMessageIter *at)
{
    const int type = dbus_message_iter_get_arg_type(at);
    if (dbus_type_is_container(type))
        return read_container(at, type);
    DBusBasicValue value;
    dbus_message_iter_get_basic(at, &value);
    switch (type) {
    case DBUS_TYPE_BYTE:
        return g_variant_new_byte(value.byt);
    case DBUS_TYPE_BOOLEAN:
        return g_variant_new_boolean(value.bool_val != FALSE);
    case DBUS_TYPE_INT16:
        return g_variant_new_int16(value.i16);
    case DBUS_TYPE_UINT16:
        return g_variant_new_uint16(value.u16);
    case DBUS_TYPE_INT32:
        return g_variant_new_int32(value.i32);
    case DBUS_TYPE_UINT32:
        return g_variant_new_uint32(value.u32);
    case DBUS_TYPE_INT64:
        return g_variant_new_int64(value.i64);
    case DBUS_TYPE_UINT64:
        return g_variant_new_uint64(value.u64);
    case DBUS_TYPE_DOUBLE:
        return g_variant_new_double(value.dbl);
    case DBUS_TYPE_OBJECT_PATH:
        return g_variant_new_object_path(value.str);
    case DBUS_TYPE_SIGNATURE:
        return g_variant_new_signature(value.str);
    case DBUS_TYPE_UNIX_FD:
        close(value.fd);
        return g_variant_new_handle(-1);
    default:
        return g_variant_new_string(value.str);
    }
}

GVariant *message_values_read(DBusMessage *message)
{
    GVariantBuilder builder;
    DBusMessageIter arguments;
    g_variant_builder_init(&builder, G_VARIANT_TYPE_TUPLE);
    if (dbus_message_iter_init(message, &arguments))
        read_following(&builder, &arguments);
    return g_variant_ref_sink(g_variant_builder_end(&builder));
}

/* Writing */

static gboolean append_value(DBusMessageIter *to, GVariant *value);

static gboolean append_children(DBusMessageIter *to, GVariant *container)
{
    for (gsize i = 0; i < g_variant_n_children(container); i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(container, i);
        if (!append_value(to, child))
            return FALSE;
    }
    return TRUE;
}

static gboolean append_container(DBusMessageIter *to, GVariant *value, int type, const char *content)
{
    DBusMessageIter inside;
    return dbus_message_iter_open_container(to, type, content, &inside) && append_children(&inside, value)
           && dbus_message_iter_close_container(to, &inside);
}

static gboolean append_variant(DBusMessageIter *to, GVariant *value)
{
    g_autoptr(GVariant) content = g_variant_get_variant(value);
    return append_container(to, value, DBUS_TYPE_VARIANT, g_variant_get_type_string(content));
}

static gboolean append_basic(DBusMessageIter *to, GVariant *value)
{
    DBusBasicValue basic;
    const int type = *g_variant_get_type_string(value);
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_BOOLEAN:
        basic.bool_val = g_variant_get_boolean(value);
        break;
    case G_VARIANT_CLASS_UINT32:
        basic.u32 = g_variant_get_uint32(value);
        break;
    case G_VARIANT_CLASS_UINT64:
        basic.u64 = g_variant_get_uint64(value);
        break;
    default:
        basic.str = (char *)g_variant_get_string(value, NULL);
        break;
    }
    return dbus_message_iter_append_basic(to, type, &basic);
}

/* The types that calls of the Host interface have. */
static gboolean append_value(DBusMessageIter *to, GVariant *value)
{
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_ARRAY:
        return append_container(to, value, DBUS_TYPE_ARRAY, g_variant_get_type_string(value) + 1);
    case G_VARIANT_CLASS_TUPLE:
        return append_container(to, value, DBUS_TYPE_STRUCT, NULL);
    case G_VARIANT_CLASS_DICT_ENTRY:
        return append_container(to, value, DBUS_TYPE_DICT_ENTRY, NULL);
    case G_VARIANT_CLASS_VARIANT:
        return append_variant(to, value);
    default:
        return append_basic(to, value);
    }
}

gboolean message_values_append(DBusMessage *message, GVariant *tuple)
{
    DBusMessageIter arguments;
    dbus_message_iter_init_append(message, &arguments);
    return append_children(&arguments, tuple);
}
