#include "observation.h"

struct Observation {
    const Directories *directories;
    char *directory_uri;
    guint64 generation;
};

Observation *observation_new(const Directories *directories, const Directory *directory)
{
    Observation *observation = g_new(Observation, 1);
    *observation = (Observation){ directories, g_strdup(directory->uri), directory->generation };
    return observation;
}

void observation_free(gpointer pointer)
{
    Observation *observation = pointer;
    g_free(observation->directory_uri);
    g_free(observation);
}

Directory *observation_directory(const Observation *observation)
{
    Directory *directory = directories_find(observation->directories, observation->directory_uri);
    if (directory == NULL || directory->state == DIRECTORY_UNOBSERVED
        || directory->generation != observation->generation)
        return NULL;
    return directory;
}
