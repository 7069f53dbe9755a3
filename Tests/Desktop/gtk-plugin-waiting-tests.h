#pragma once

void add_waiting_tests(void);
