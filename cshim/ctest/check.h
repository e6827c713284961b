/* What the tests share: checks that end the program, and texts. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "myriant.h"

#define CHECK(what)                                                   \
  do {                                                                \
    if (!(what)) {                                                    \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what); \
      exit(1);                                                        \
    }                                                                 \
  } while (0)

/* A call of handle h that must return a status. */
#define WANT(status, h, call)                                                                       \
  do {                                                                                              \
    int32_t got_ = (call);                                                                          \
    if (got_ != (status)) {                                                                         \
      char why_[4096] = "";                                                                         \
      myriant_last_error((h), why_, sizeof why_, NULL);                                             \
      fprintf(stderr, "%s:%d: %s: %s (%s), want %s\n", __FILE__, __LINE__, #call,                    \
              myriant_status_name(got_), why_, myriant_status_name(status));                        \
      exit(1);                                                                                      \
    }                                                                                               \
  } while (0)
#define OK(h, call) WANT(MYRIANT_OK, h, call)

static inline uint64_t create(const char *config) {
  uint64_t h = 0;
  char why[1024];
  int32_t status = myriant_create(config, strlen(config), &h, why, sizeof why);
  if (status != MYRIANT_OK) {
    fprintf(stderr, "%s: %s: %s\n", config, myriant_status_name(status), why);
    exit(1);
  }
  CHECK(h != 0);
  return h;
}

/* Whether bytes of the library have a part; releases them. */
static inline int told(myriant_bytes b, const char *part) {
  CHECK(((const char *)b.data)[b.length] == 0 && (uintptr_t)b.data % 64 == 0);
  int found = strstr((const char *)b.data, part) != NULL;
  if (!found) fprintf(stderr, "no %s in %s\n", part, (const char *)b.data);
  CHECK(myriant_release(b.block) == MYRIANT_OK);
  return found;
}

#define MAX_ROWS 64

/* A row of a table by its array's name. */
static inline myriant_array *row(myriant_array *table, int64_t rows, const char *name) {
  for (int64_t i = 0; i < rows; i++)
    if (strcmp(table[i].name, name) == 0) return &table[i];
  fprintf(stderr, "no array %s\n", name);
  exit(1);
}

#endif
