/// A provider in C, with libdbus alone.
enum CSkeleton {
    static let text = #"""
        /* @NAME@: a sync engine, as far as file managers see it. Everything in its folder is synced; badge_of() is where yours
         * says what it knows. Run it with the folder as its argument, and look at the folder with `roundel ls`. */
        #define _GNU_SOURCE
        #include <ctype.h>
        #include <dbus/dbus.h>
        #include <dirent.h>
        #include <limits.h>
        #include <stdint.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/stat.h>

        #define SERVICE "org.roundel.Roundel1"
        #define SERVICE_OBJECT "/org/roundel/Roundel1"
        #define REGISTRY "org.roundel.Roundel1.Registry"
        #define PROVIDER "org.roundel.Provider1"
        #define BUS_NAME "@BUS@"
        #define OBJECT "@OBJECT@"
        #define ID "@ID@"
        #define DRAFT ID ".draft"
        #define PENCIL "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><path fill='#865e3c' d='M0 8V6l6-6 2 2-6 6z'/></svg>"

        static DBusConnection *bus;
        static char folder[PATH_MAX];

        /* A provider says nothing of what is not in its folder, whatever it is asked. */
        static int is_own(const char *path)
        {
            size_t length = strlen(folder);
            return strncmp(path, folder, length) == 0 && (path[length] == 0 || path[length] == '/');
        }

        static const char *badge_of(const char *path)
        {
            struct stat status;
            size_t length = strlen(path);
            if (!is_own(path) || lstat(path, &status) != 0)
                return "";
            return length > 6 && strcmp(path + length - 6, ".draft") == 0 ? DRAFT : "synced";
        }

        /* --- Names and URIs ------------------------------------------------------------------------------------------------ */

        /* What RFC 3986 calls unreserved, and the slash, stand for themselves; anything else is %XX. */
        static char *escaped(const char *bytes)
        {
            char *text = malloc(3 * strlen(bytes) + 1), *end = text;
            for (; *bytes; bytes++) {
                unsigned char byte = (unsigned char)*bytes;
                if (isalnum(byte) || strchr("-._~/", byte))
                    *end++ = (char)byte;
                else
                    end += sprintf(end, "%%%02X", byte);
            }
            *end = 0;
            return text;
        }

        static char *unescaped(const char *text)
        {
            char *bytes = malloc(strlen(text) + 1), *end = bytes;
            unsigned value;
            for (; *text; text++) {
                /* Both digits must be there, or the text would be read past its end. */
                if (*text == '%' && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2])
                    && sscanf(text + 1, "%2x", &value) == 1) {
                    *end++ = (char)value;
                    text += 2;
                } else {
                    *end++ = *text;
                }
            }
            *end = 0;
            return bytes;
        }

        static char *path_of(const char *uri)
        {
            return unescaped(strncmp(uri, "file://", 7) == 0 ? uri + 7 : uri);
        }

        /* --- Writing ------------------------------------------------------------------------------------------------------- */

        static void add_strings(DBusMessageIter *to, const char **texts, int count)
        {
            DBusMessageIter array;
            dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "s", &array);
            for (int at = 0; at < count; at++)
                dbus_message_iter_append_basic(&array, DBUS_TYPE_STRING, &texts[at]);
            dbus_message_iter_close_container(to, &array);
        }

        /* The badges, flags and progress of names in a directory. */
        static void add_columns(DBusMessageIter *to, const char *directory, const char **names, int count)
        {
            const char **badges = calloc((size_t)count + 1, sizeof *badges);
            DBusMessageIter array;
            for (int at = 0; at < count; at++) {
                char *name = unescaped(names[at]), *path;
                if (asprintf(&path, "%s/%s", directory, name) < 0)
                    abort();
                badges[at] = badge_of(path);
                free(path);
                free(name);
            }
            add_strings(to, badges, count);
            dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "u", &array);
            for (int at = 0; at < count; at++)
                dbus_message_iter_append_basic(&array, DBUS_TYPE_UINT32, &(dbus_uint32_t) { 0 });
            dbus_message_iter_close_container(to, &array);
            dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "y", &array);
            for (int at = 0; at < count; at++)
                dbus_message_iter_append_basic(&array, DBUS_TYPE_BYTE, &(unsigned char) { 255 }); /* no progress */
            dbus_message_iter_close_container(to, &array);
            free(badges);
        }

        /* One entry of a dictionary a{sv}. */
        static void add_entry(DBusMessageIter *map, const char *key, int type, const char *signature, const void *value)
        {
            DBusMessageIter entry, variant;
            dbus_message_iter_open_container(map, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
            dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
            dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
            dbus_message_iter_append_basic(&variant, type, value);
            dbus_message_iter_close_container(&entry, &variant);
            dbus_message_iter_close_container(map, &entry);
        }

        static void add_no_options(DBusMessageIter *to)
        {
            DBusMessageIter map;
            dbus_message_iter_open_container(to, DBUS_TYPE_ARRAY, "{sv}", &map);
            dbus_message_iter_close_container(to, &map);
        }

        /* --- Registering --------------------------------------------------------------------------------------------------- */

        static DBusMessage *registry_call(const char *method, DBusMessageIter *arguments)
        {
            DBusMessage *call = dbus_message_new_method_call(SERVICE, SERVICE_OBJECT, REGISTRY, method);
            dbus_message_set_auto_start(call, FALSE);
            dbus_message_iter_init_append(call, arguments);
            return call;
        }

        static void send_call(DBusMessage *call)
        {
            dbus_connection_send(bus, call, NULL);
            dbus_message_unref(call);
        }

        /* A badge of its own is shown by the icon that the service has made of its picture. */
        static void draft_stored(DBusPendingCall *pending, void *data)
        {
            DBusMessage *reply = dbus_pending_call_steal_reply(pending);
            const char *badge = DRAFT, *label = "Draft", *icon;
            DBusMessageIter arguments, array, image;
            (void)data;
            if (dbus_message_get_args(reply, NULL, DBUS_TYPE_STRING, &icon, DBUS_TYPE_INVALID)) {
                DBusMessage *call = registry_call("SetBadgeImages", &arguments);
                dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(sss)", &array);
                dbus_message_iter_open_container(&array, DBUS_TYPE_STRUCT, NULL, &image);
                dbus_message_iter_append_basic(&image, DBUS_TYPE_STRING, &badge);
                dbus_message_iter_append_basic(&image, DBUS_TYPE_STRING, &label);
                dbus_message_iter_append_basic(&image, DBUS_TYPE_STRING, &icon);
                dbus_message_iter_close_container(&array, &image);
                dbus_message_iter_close_container(&arguments, &array);
                add_no_options(&arguments);
                send_call(call);
            }
            dbus_message_unref(reply);
            dbus_pending_call_unref(pending);
        }

        /* The service keeps a picture as long as this program is registered. */
        static void store_draft(void)
        {
            const char *name = "draft", *picture = PENCIL;
            DBusMessageIter arguments;
            DBusPendingCall *pending = NULL;
            DBusMessage *call = registry_call("StorePicture", &arguments);
            dbus_message_append_args(call, DBUS_TYPE_STRING, &name, DBUS_TYPE_ARRAY, DBUS_TYPE_BYTE, &picture,
                (int)strlen(picture), DBUS_TYPE_INVALID);
            dbus_message_iter_init_append(call, &arguments);
            add_no_options(&arguments);
            if (dbus_connection_send_with_reply(bus, call, &pending, DBUS_TIMEOUT_INFINITE) && pending)
                dbus_pending_call_set_notify(pending, draft_stored, NULL, NULL);
            dbus_message_unref(call);
        }

        /* Once for each service that appears: it remembers nobody who is not on the bus. Calls take effect in their order. */
        static void register_provider(void)
        {
            DBusMessageIter arguments, map, array, offer;
            const char *object = OBJECT, *id = ID, *name = "@NAME@";
            char *path = escaped(folder), *uri;
            if (asprintf(&uri, "file://%s", path) < 0)
                abort();

            DBusMessage *call = registry_call("Register", &arguments);
            dbus_message_iter_append_basic(&arguments, DBUS_TYPE_OBJECT_PATH, &object);
            dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &map);
            add_entry(&map, "id", DBUS_TYPE_STRING, "s", &id);
            add_entry(&map, "name", DBUS_TYPE_STRING, "s", &name);
            dbus_message_iter_close_container(&arguments, &map);
            send_call(call);

            store_draft();

            call = registry_call("SetFolders", &arguments);
            dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "(sa{sv})", &array);
            dbus_message_iter_open_container(&array, DBUS_TYPE_STRUCT, NULL, &offer);
            dbus_message_iter_append_basic(&offer, DBUS_TYPE_STRING, &uri);
            dbus_message_iter_open_container(&offer, DBUS_TYPE_ARRAY, "{sv}", &map);
            add_entry(&map, "watch", DBUS_TYPE_BOOLEAN, "b", &(dbus_bool_t) { TRUE });
            dbus_message_iter_close_container(&offer, &map);
            dbus_message_iter_close_container(&array, &offer);
            dbus_message_iter_close_container(&arguments, &array);
            add_no_options(&arguments);
            send_call(call);

            /* The service watches the folder from its answer on: what is known of it is read then. */
            call = registry_call("Flush", &arguments);
            dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &uri);
            add_no_options(&arguments);
            send_call(call);
            free(uri);
            free(path);
        }

        static int by_text(const void *left, const void *right)
        {
            return strcmp(*(char *const *)left, *(char *const *)right);
        }

        /* The length of the URI of the directory that an item is in; 0 for none. */
        static size_t parent_length(const char *uri)
        {
            const char *slash = strrchr(uri, '/');
            return slash && slash - uri > 7 ? (size_t)(slash - uri) : 0;
        }

        /* Tells the badges of items, by their URIs: in one call for each directory. */
        static void update_badges(char **uris, int count)
        {
            const char **names = calloc((size_t)count + 1, sizeof *names);
            qsort(uris, (size_t)count, sizeof *uris, by_text);
            for (int first = 0, next; first < count; first = next) {
                size_t length = parent_length(uris[first]);
                for (next = first; next < count && parent_length(uris[next]) == length
                     && strncmp(uris[next], uris[first], length) == 0;
                     next++)
                    names[next - first] = uris[next] + length + 1;
                char *parent = strndup(uris[first], length), *directory = path_of(parent);
                if (length > 0 && is_own(directory)) {
                    DBusMessageIter arguments;
                    DBusMessage *call = registry_call("UpdateBadges", &arguments);
                    dbus_message_iter_append_basic(&arguments, DBUS_TYPE_STRING, &parent);
                    add_strings(&arguments, names, next - first);
                    add_columns(&arguments, directory, names, next - first);
                    add_no_options(&arguments);
                    send_call(call);
                }
                free(directory);
                free(parent);
            }
            free(names);
        }

        /* --- What the service calls ---------------------------------------------------------------------------------------- */

        static void request_badges(DBusMessage *call, DBusMessageIter *answer)
        {
            const char *uri;
            char **names;
            int count;
            if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &uri, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &names, &count,
                    DBUS_TYPE_INVALID))
                return;
            char *directory = path_of(uri);
            add_columns(answer, directory, (const char **)names, count);
            free(directory);
            dbus_free_string_array(names);
        }

        static int by_bytes(const struct dirent **left, const struct dirent **right)
        {
            return strcmp((*left)->d_name, (*right)->d_name);
        }

        /* The names after one, in the order of their bytes, at most so many. */
        static void request_directory(DBusMessage *call, DBusMessageIter *answer)
        {
            const char *uri, *after_name;
            dbus_uint32_t limit;
            if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &uri, DBUS_TYPE_STRING, &after_name, DBUS_TYPE_UINT32, &limit,
                    DBUS_TYPE_INVALID))
                return;
            char *directory = path_of(uri), *after = unescaped(after_name);
            struct dirent **found = NULL;
            int total = scandir(directory, &found, NULL, by_bytes), count = 0, more = 0;
            const char **names = calloc((size_t)(total > 0 ? total : 0) + 1, sizeof *names);
            for (int at = 0; at < total; at++) {
                const char *name = found[at]->d_name;
                char *path;
                if (asprintf(&path, "%s/%s", directory, name) < 0)
                    abort();
                int is_item = strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strcmp(name, after) > 0 && is_own(path);
                free(path);
                if (is_item && (limit == 0 || (dbus_uint32_t)count < limit))
                    names[count++] = escaped(name);
                else if (is_item)
                    more = 1;
                free(found[at]);
            }
            const char *next = more ? names[count - 1] : "";
            add_strings(answer, names, count);
            add_columns(answer, directory, names, count);
            dbus_message_iter_append_basic(answer, DBUS_TYPE_STRING, &next);
            for (int at = 0; at < count; at++)
                free((char *)names[at]);
            free(names);
            free(found);
            free(after);
            free(directory);
        }

        static void items_changed(DBusMessage *call)
        {
            const char *uri;
            char **directories, **items;
            int directory_count, item_count;
            if (!dbus_message_get_args(call, NULL, DBUS_TYPE_STRING, &uri, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &directories,
                    &directory_count, DBUS_TYPE_ARRAY, DBUS_TYPE_STRING, &items, &item_count, DBUS_TYPE_INVALID))
                return;
            update_badges(items, item_count);
            dbus_free_string_array(directories);
            dbus_free_string_array(items);
        }

        static DBusHandlerResult on_call(DBusConnection *connection, DBusMessage *call, void *data)
        {
            (void)data;
            if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL || !dbus_message_has_interface(call, PROVIDER))
                return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
            DBusMessage *reply = dbus_message_new_method_return(call);
            DBusMessageIter answer;
            dbus_message_iter_init_append(reply, &answer);
            if (dbus_message_has_member(call, "RequestBadges")) {
                request_badges(call, &answer);
            } else if (dbus_message_has_member(call, "RequestDirectory")) {
                request_directory(call, &answer);
            } else if (dbus_message_has_member(call, "ItemsChanged")) {
                items_changed(call);
            } else { /* A provider may leave out any other method. */
                dbus_message_unref(reply);
                return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
            }
            add_no_options(&answer);
            dbus_connection_send(connection, reply, NULL);
            dbus_message_unref(reply);
            return DBUS_HANDLER_RESULT_HANDLED;
        }

        static DBusHandlerResult on_signal(DBusConnection *connection, DBusMessage *signal, void *data)
        {
            const char *name, *before, *after;
            (void)connection;
            (void)data;
            if (dbus_message_is_signal(signal, DBUS_INTERFACE_DBUS, "NameOwnerChanged")
                && dbus_message_get_args(signal, NULL, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &before, DBUS_TYPE_STRING,
                    &after, DBUS_TYPE_INVALID)
                && strcmp(name, SERVICE) == 0 && *after)
                register_provider();
            return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
        }

        int main(int count, char **arguments)
        {
            static const DBusObjectPathVTable table = { .message_function = on_call };
            DBusError error = DBUS_ERROR_INIT;
            if (count != 2 || !realpath(arguments[1], folder)) {
                fprintf(stderr, "Usage: @ID@ FOLDER\n");
                return 64;
            }
            bus = dbus_bus_get(DBUS_BUS_SESSION, &error);
            if (!bus) {
                fprintf(stderr, "@ID@: %s\n", error.message);
                return 1;
            }
            dbus_connection_register_object_path(bus, OBJECT, &table, NULL);
            dbus_connection_add_filter(bus, on_signal, NULL, NULL);
            dbus_bus_add_match(bus, "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='" SERVICE "'",
                NULL);
            dbus_bus_request_name(bus, BUS_NAME, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
            if (dbus_bus_name_has_owner(bus, SERVICE, NULL))
                register_provider();
            while (dbus_connection_read_write_dispatch(bus, -1))
                continue;
            return 0;
        }

        """#

    static let makefile = #"""
        CFLAGS ?= -O2 -g -Wall -Wextra

        @ID@: @ID@.c
        	$(CC) $(CFLAGS) $(shell pkg-config --cflags dbus-1) -o $@ $< $(shell pkg-config --libs dbus-1)

        """#
}
