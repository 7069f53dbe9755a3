#ifndef ROUNDEL_CSQLITE_H
#define ROUNDEL_CSQLITE_H

#include <sqlite3.h>

/* Swift cannot call a function with a variable number of arguments. Keeping account of its memory, SQLite takes a lock
   that is the same for all databases at each allocation. The result is an error once SQLite is in use. */
static inline int csqlite_account_for_no_memory(void)
{
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

#endif
