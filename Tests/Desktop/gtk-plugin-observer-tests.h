#pragma once

void add_observer_tests(void);
