#include "program-symbol.h"

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
