#include "program-symbol.h"

#include <glib-object.h>
#include <gmodule.h>

gboolean program_symbol(const char *name, gpointer *symbol)
{
    GModule *program = g_module_open(NULL, 0);
    gboolean found = program != NULL && g_module_symbol(program, name, symbol);
    if (!found)
        *symbol = NULL;
    g_clear_pointer(&program, g_module_close);
    return found;
}

gboolean program_object_is(gpointer object, const char *type_name)
{
    GType type = g_type_from_name(type_name);
    return object != NULL && type != 0 && G_TYPE_CHECK_INSTANCE_TYPE(object, type);
}
