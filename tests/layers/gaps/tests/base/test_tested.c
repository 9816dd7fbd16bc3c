/* Tests src/base/tested.c. */
