#pragma once

#include "directories.h"

/* Identifies one observation of a directory across a call to the service, during which it may end or begin anew. */

typedef struct Observation Observation;

/* Of the observation that the directory has now. The directories must outlive the use of it. */
Observation *observation_new(const Directories *directories, const Directory *directory);
void observation_free(gpointer observation);

/* The observed directory, or NULL if that observation is over. */
Directory *observation_directory(const Observation *observation);
