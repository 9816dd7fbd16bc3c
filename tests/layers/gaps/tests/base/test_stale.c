/* Tests src/base/stale.c. */
