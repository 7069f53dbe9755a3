#pragma once

void add_listing_tests(void);
