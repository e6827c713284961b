/* The library used from C, without Python. Built with the tag myriant_testing,
 * which adds the two functions below. */
#include <malloc.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

int32_t myriant_test_explode(uint64_t handle, int64_t board);
int64_t myriant_test_blocks(void);

/* Three boards, the caller in seat 0, games of three turns. */
#define CALLER                                                                                               \
  "{\"boards\":3,\"maps\":[\"tiny-2p\"],\"rules\":{\"name\":\"ladder\",\"max_turns\":3},"                    \
  "\"policies\":[[\"caller\",\"greedy\"]],\"arrays\":[\"planes\",\"ant_offsets\",\"ant_cells\",\"ant_mask\"," \
  "\"reward\",\"done\",\"turn\"],\"workers\":"
#define NATIVE                                                                                    \
  "{\"boards\":4,\"maps\":[\"tiny-2p\"],\"policies\":[[\"greedy\",\"random\"]],\"observe\":[0],"  \
  "\"arrays\":[\"ant_offsets\",\"ant_cells\",\"reward\",\"turn\"],\"workers\":2"
#define ROWS 7

/* AddressSanitizer keeps what is freed for a while, and looks for leaks itself. */
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Orders for every ant of the table: its first legal direction by turn. */
static myriant_actions orders(myriant_array *table, uint8_t *room, size_t size, int turn) {
  myriant_array *mask = row(table, ROWS, "ant_mask");
  int64_t n = mask->shape[0];
  CHECK(mask->dtype == MYRIANT_DTYPE_INT8 && mask->ndim == 2 && mask->shape[1] == 5 && mask->bytes == 5 * n);
  CHECK(n <= (int64_t)size);
  for (int64_t i = 0; i < n; i++) {
    room[i] = 4;
    for (int k = 0; k < 4; k++) {
      int a = (k + turn) % 4;
      if (((int8_t *)mask->data)[5 * i + a]) room[i] = (uint8_t)a;
    }
  }
  myriant_actions a = {.head = "ant"};
  a.buffer.data = room;
  a.buffer.bytes = n;
  a.buffer.dtype = MYRIANT_DTYPE_UINT8;
  return a;
}

static void library(void) {
  CHECK(myriant_abi_version() == MYRIANT_ABI_VERSION);
  CHECK(strcmp(myriant_version(), "0.1.0") == 0);
  CHECK(strcmp(myriant_status_name(MYRIANT_OK), "ok") == 0);
  CHECK(strcmp(myriant_status_name(MYRIANT_ERR_BUSY), "busy") == 0);
  CHECK(strcmp(myriant_status_name(MYRIANT_ERR_PANIC), "panic") == 0);
  CHECK(strcmp(myriant_status_name(-1), "unknown") == 0 && strcmp(myriant_status_name(99), "unknown") == 0);
  myriant_bytes b;
  CHECK(myriant_catalog(&b) == MYRIANT_OK && told(b, "\"name\":\"formica\""));
  CHECK(myriant_catalog(NULL) == MYRIANT_ERR_ARGUMENT);
  char why[64];
  CHECK(myriant_map("ants", 4, "\"tiny-2p\"", 9, &b, NULL, 0) == MYRIANT_OK && told(b, "\"rows\":24"));
  CHECK(myriant_map("ants", 4, "\"none\"", 6, &b, why, sizeof why) == MYRIANT_ERR_MAP && strlen(why) == 63);
  CHECK(myriant_map(NULL, 0, NULL, 0, NULL, NULL, 0) == MYRIANT_ERR_ARGUMENT);
  const char *config = "{\"boards\":1000000}";
  CHECK(myriant_spec(config, strlen(config), &b, why, sizeof why) == MYRIANT_OK && told(b, "\"shape\":[1000000,2,7,32,4]"));
  CHECK(myriant_spec("{}", 2, &b, why, sizeof why) == MYRIANT_ERR_CONFIG && strstr(why, "boards is 0"));
  CHECK(myriant_spec("{}", 2, &b, why, 8) == MYRIANT_ERR_CONFIG && strcmp(why, "boards ") == 0);
  CHECK(myriant_spec(NULL, 0, &b, NULL, 0) == MYRIANT_ERR_CONFIG);
  CHECK(myriant_spec("{}", SIZE_MAX, &b, why, SIZE_MAX) == MYRIANT_ERR_CONFIG && strstr(why, "no JSON"));
  uint64_t h = 7;
  CHECK(myriant_create("{\"boards\":1,\"rules\":\"chess\"}", 28, &h, why, sizeof why) == MYRIANT_ERR_RULES && h == 7);
  CHECK(myriant_create(config, strlen(config), NULL, why, sizeof why) == MYRIANT_ERR_ARGUMENT);
  config = "{\"boards\":1000000000,\"maps\":[\"xlarge-8p\"]}";
  CHECK(myriant_create(config, strlen(config), &h, why, sizeof why) == MYRIANT_ERR_MEMORY && strstr(why, "no memory for"));
}

/* Every function with no handle, no memory, and sizes that cannot be. */
static void wrong(void) {
  uint64_t h = create(CALLER "1}");
  uint64_t closed = create(CALLER "1}");
  OK(closed, myriant_close(closed));
  OK(closed, myriant_close(closed));
  CHECK(myriant_close(0) == MYRIANT_ERR_HANDLE);
  myriant_array table[MAX_ROWS];
  myriant_bytes b;
  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  int64_t zero = 0, length;
  uint64_t hash;
  myriant_span span[2] = {{NULL, 0}, {NULL, 0}};
  myriant_buffer to = {.dtype = MYRIANT_DTYPE_UINT8};
  const uint64_t bad[] = {0, 1u << 30, closed};
  for (int i = 0; i < 3; i++) {
    uint64_t x = bad[i];
    int32_t want = i == 2 ? MYRIANT_ERR_CLOSED : MYRIANT_ERR_HANDLE;
    WANT(i == 2 ? MYRIANT_OK : want, 0, myriant_last_error(x, NULL, 0, &length));
    WANT(want, 0, myriant_handle_spec(x, &b));
    WANT(want, 0, myriant_arrays(x, table, ROWS));
    WANT(want, 0, myriant_read(x, 0, &to));
    WANT(want, 0, myriant_reset(x, 1));
    WANT(want, 0, myriant_reset_mask(x, (uint8_t *)"\1\1\1", 3, NULL, 0));
    WANT(want, 0, myriant_step(x, NULL, NULL, 0));
    WANT(want, 0, myriant_send(x, NULL));
    WANT(want, 0, myriant_recv(x, 0, NULL, 0));
    WANT(want, 0, myriant_step_board(x, 0, span, 2));
    WANT(want, 0, myriant_snapshot(x, &zero, 1, &b));
    WANT(want, 0, myriant_restore(x, &zero, 1, "", 0));
    WANT(want, 0, myriant_clone(x, &zero, &zero, 1));
    WANT(want, 0, myriant_hash(x, &zero, 1, &hash));
    WANT(want, 0, myriant_state(x, 0, &b));
    WANT(want, 0, myriant_set_state(x, 0, "", 0));
    WANT(want, 0, myriant_view(x, 0, 0, &b));
    WANT(want, 0, myriant_outcome(x, 0, &b));
    WANT(want, 0, myriant_record(x, "{}", 2));
    WANT(want, 0, myriant_record_stop(x, NULL));
    WANT(want, 0, myriant_arrow_schema(x, &schema));
    WANT(want, 0, myriant_arrow_array(x, MYRIANT_MAIN, 0, NULL, &array));
    WANT(want, 0, myriant_arrow_stream(x, MYRIANT_MAIN, 0, &stream));
  }
  CHECK(myriant_retain(0) == MYRIANT_ERR_HANDLE && myriant_release(1u << 30) == MYRIANT_ERR_HANDLE);

  WANT(MYRIANT_ERR_NOT_RESET, h, myriant_step(h, NULL, NULL, 0));
  OK(h, myriant_reset(h, 1));
  OK(h, myriant_arrays(h, table, ROWS));
  uint8_t room[1000] = {0};
  myriant_actions a = orders(table, room, sizeof room, 0);
  int64_t n = a.buffer.bytes;
  const int64_t sizes[] = {n - 1, n + 1, 0, -1};
  for (int i = 0; i < 4; i++) {
    a.buffer.bytes = sizes[i];
    WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, ROWS));
  }
  a.buffer.bytes = n;
  room[0] = 99;
  WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, ROWS));
  char why[256];
  OK(h, myriant_last_error(h, why, sizeof why, &length));
  CHECK(strstr(why, "99") && strstr(why, "board 0") && length == (int64_t)strlen(why));
  OK(h, myriant_last_error(h, why, 5, &length));
  CHECK(strlen(why) == 4 && length > 4);
  OK(h, myriant_last_error(h, NULL, 0, NULL));
  room[0] = 4;
  a.buffer.dtype = MYRIANT_DTYPE_INT64;
  WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, ROWS));
  a.buffer.dtype = MYRIANT_DTYPE_UINT8;
  a.buffer.data = NULL;
  WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, ROWS));
  a.buffer.data = room;
  int64_t shape[] = {n}, strides[] = {2};
  a.buffer.shape = shape;
  a.buffer.strides = strides;
  a.buffer.ndim = 1;
  WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, ROWS));
  strides[0] = 1;
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_step(h, &a, table, ROWS - 1));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_step(h, &a, table, -1));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_step(h, &a, table, INT64_MAX));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_hash(h, &zero, INT64_MAX, &hash));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_step(h, &a, NULL, ROWS));
  OK(h, myriant_step(h, &a, table, ROWS));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_arrays(h, NULL, 0));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_read(h, 0, NULL));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_reset_mask(h, NULL, 3, NULL, 0));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_state(h, 0, NULL));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_arrow_schema(h, NULL));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_arrow_array(h, MYRIANT_MAIN, 0, NULL, NULL));
  WANT(MYRIANT_ERR_ARGUMENT, h, myriant_arrow_stream(h, MYRIANT_MAIN, 0, NULL));
  WANT(MYRIANT_ERR_EXPORT, h, myriant_arrow_array(h, MYRIANT_FINAL, 0, NULL, &array));
  WANT(MYRIANT_ERR_IDLE, h, myriant_recv(h, 0, NULL, 0));
  WANT(MYRIANT_ERR_IDLE, h, myriant_record_stop(h, NULL));
  OK(h, myriant_close(h));
}

/* The same seed and actions give the same bytes with one worker and three, in
 * one call or two, at every step over several episodes. */
static void steps(void) {
  uint64_t one = create(CALLER "1}"), three = create(CALLER "3}");
  myriant_array table[2][ROWS];
  OK(one, myriant_reset(one, UINT64_MAX));
  OK(three, myriant_reset(three, UINT64_MAX));
  OK(one, myriant_arrays(one, table[0], ROWS));
  OK(three, myriant_arrays(three, table[1], ROWS));
  uint8_t room[1000];
  int ended = 0;
  for (int turn = 0; turn < 20; turn++) {
    myriant_actions a = orders(table[0], room, sizeof room, turn);
    OK(one, myriant_step(one, &a, table[0], ROWS));
    OK(three, myriant_send(three, &a));
    WANT(MYRIANT_ERR_BUSY, three, myriant_step(three, &a, NULL, 0));
    int32_t status;
    while ((status = myriant_recv(three, 1, table[1], ROWS)) == MYRIANT_PENDING) continue;
    OK(three, status);
    for (int i = 0; i < ROWS; i++) {
      myriant_array *x = &table[0][i], *y = &table[1][i];
      CHECK(strcmp(x->name, y->name) == 0 && x->bytes == y->bytes && (uintptr_t)x->data % 64 == 0);
      CHECK(memcmp(x->shape, y->shape, sizeof x->shape) == 0 && memcmp(x->data, y->data, (size_t)x->bytes) == 0);
      if (x->bytes == 0) continue;
      void *copy = malloc((size_t)x->bytes);
      myriant_buffer to = {.data = copy, .bytes = x->bytes, .dtype = x->dtype, .shape = x->shape, .ndim = x->ndim};
      OK(one, myriant_read(one, i, &to));
      CHECK(memcmp(copy, x->data, (size_t)x->bytes) == 0);
      free(copy);
    }
    ended += ((uint8_t *)row(table[0], ROWS, "done")->data)[0];
    int64_t boards[] = {0, 1, 2};
    uint64_t hash[2][3];
    OK(one, myriant_hash(one, boards, 3, hash[0]));
    OK(three, myriant_hash(three, boards, 3, hash[1]));
    CHECK(memcmp(hash[0], hash[1], sizeof hash[0]) == 0);
  }
  CHECK(ended == 5);

  /* A snapshot moves a board to another batch; a clone stays in its own. */
  myriant_bytes b;
  int64_t from = 2, to = 0;
  uint64_t x, y;
  OK(one, myriant_snapshot(one, &from, 1, &b));
  OK(three, myriant_restore(three, &to, 1, b.data, b.length));
  CHECK(myriant_release(b.block) == MYRIANT_OK && myriant_release(b.block) == MYRIANT_ERR_HANDLE);
  OK(one, myriant_hash(one, &from, 1, &x));
  OK(three, myriant_hash(three, &to, 1, &y));
  CHECK(x == y);
  OK(one, myriant_clone(one, &to, &from, 1));
  OK(one, myriant_hash(one, &to, 1, &y));
  CHECK(x == y);
  OK(one, myriant_state(one, 0, &b));
  OK(one, myriant_set_state(one, 1, b.data, b.length));
  WANT(MYRIANT_ERR_STATE, one, myriant_set_state(one, 1, b.data, b.length - 1));
  CHECK(myriant_release(b.block) == MYRIANT_OK);
  OK(one, myriant_view(one, 1, 0, &b));
  CHECK(told(b, "\"size\":[24,24]"));
  OK(one, myriant_outcome(one, 1, &b));
  CHECK(told(b, "\"done\":"));
  OK(one, myriant_handle_spec(one, &b));
  CHECK(told(b, "\"table\":7"));
  uint8_t north = 0;
  myriant_span span[2] = {{&north, 1}, {NULL, 0}};
  OK(one, myriant_reset_mask(one, (uint8_t *)"\0\1\0", 3, (uint64_t[]){0, 5, 0}, MYRIANT_SEEDS_EPISODE));
  OK(one, myriant_step_board(one, 1, span, 2));
  OK(one, myriant_outcome(one, 1, &b));
  CHECK(told(b, "\"steps\":1"));
  OK(one, myriant_close(one));
  OK(three, myriant_close(three));
}

static void formica(void) {
  uint64_t h = create("{\"game\":\"formica\",\"boards\":2,\"rules\":\"duel\",\"maps\":[\"duel\"],\"policies\":[[\"caller\",\"raid\"]],\"arrays\":[\"reward\",\"tick\"]}");
  OK(h, myriant_reset(h, 1));
  int32_t order[2][4] = {{0, 30, 0, -1}, {-1, 0, 0, 0}};
  int64_t shape[] = {2, 1, 4};
  myriant_actions a = {.head = "orders"};
  a.buffer = (myriant_buffer){.data = order, .bytes = sizeof order, .shape = shape, .dtype = MYRIANT_DTYPE_INT32, .ndim = 3};
  myriant_array table[2];
  OK(h, myriant_step(h, &a, table, 2));
  CHECK(((int32_t *)row(table, 2, "tick")->data)[1] > 0);
  order[1][0] = 9;
  WANT(MYRIANT_ERR_ORDERS, h, myriant_step(h, &a, table, 2));
  OK(h, myriant_close(h));
}

/* Two threads in one handle: each call succeeds or is told that it is busy. */
typedef struct { uint64_t h; int done, busy; } shared;

static void *both(void *p) {
  shared *s = p;
  for (int i = 0; i < 2000; i++) {
    int32_t status = myriant_step(s->h, NULL, NULL, 0);
    CHECK(status == MYRIANT_OK || status == MYRIANT_ERR_BUSY);
    if (status == MYRIANT_OK) s->done++;
    else s->busy++;
  }
  return NULL;
}

static void threads(void) {
  uint64_t h = create(NATIVE "}");
  OK(h, myriant_reset(h, 1));
  shared s[2] = {{h, 0, 0}, {h, 0, 0}};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) CHECK(pthread_create(&t[i], NULL, both, &s[i]) == 0);
  for (int i = 0; i < 2; i++) CHECK(pthread_join(t[i], NULL) == 0);
  CHECK(s[0].done + s[1].done > 0 && s[0].done + s[0].busy == 2000);
  printf("two threads: %d steps, %d times busy\n", s[0].done + s[1].done, s[0].busy + s[1].busy);
  OK(h, myriant_close(h));
}

/* A panic on any thread of the library is a status. */
static void panics(void) {
  for (int64_t board = -1; board < 4; board++) {
    for (int send = 0; send < 2; send++) {
      uint64_t h = create(NATIVE "}");
      myriant_array table[4];
      OK(h, myriant_reset(h, 1));
      OK(h, myriant_arrays(h, table, 4));
      CHECK(myriant_retain(table[0].block) == MYRIANT_OK);
      if (board < 0) {
        WANT(MYRIANT_ERR_PANIC, h, myriant_test_explode(h, board));
      } else {
        OK(h, myriant_test_explode(h, board));
        if (send) {
          OK(h, myriant_send(h, NULL));
          WANT(MYRIANT_ERR_PANIC, h, myriant_recv(h, -1, table, 4));
        } else {
          WANT(MYRIANT_ERR_PANIC, h, myriant_step(h, NULL, table, 4));
        }
      }
      WANT(MYRIANT_ERR_PANIC, h, myriant_step(h, NULL, NULL, 0));
      char why[8192];
      OK(h, myriant_last_error(h, why, sizeof why, NULL));
      CHECK(strncmp(why, "a bug on purpose", 16) == 0);
      OK(h, myriant_close(h));
      CHECK(myriant_release(table[0].block) == MYRIANT_OK);
    }
  }
}

/* Held memory stays, with its bytes, when the array moves and the batch ends. */
static void holds(void) {
  uint64_t h = create(NATIVE "}");
  myriant_array table[4], old;
  OK(h, myriant_reset(h, 3));
  OK(h, myriant_arrays(h, table, 4));
  old = *row(table, 4, "ant_cells");
  CHECK(myriant_retain(old.block) == MYRIANT_OK);
  for (int i = 0; row(table, 4, "ant_cells")->block == old.block; i++) {
    CHECK(i < 2000);
    OK(h, myriant_step(h, NULL, table, 4));
  }
  uint8_t *bytes = malloc((size_t)old.bytes);
  memcpy(bytes, old.data, (size_t)old.bytes);
  for (int i = 0; i < 10; i++) OK(h, myriant_step(h, NULL, table, 4));
  OK(h, myriant_close(h));
  CHECK(memcmp(bytes, old.data, (size_t)old.bytes) == 0);
  CHECK(myriant_retain(row(table, 4, "ant_cells")->block) == MYRIANT_ERR_HANDLE);
  CHECK(myriant_release(old.block) == MYRIANT_OK);
  CHECK(myriant_release(old.block) == MYRIANT_ERR_HANDLE);
  free(bytes);
}

/* Looks through what Arrow was given: counts rows, reads the first column. */
static void look(struct ArrowSchema *s, struct ArrowArray *a, int64_t rows, const char *column) {
  CHECK(s->release && a->release && strcmp(s->format, "+s") == 0 && s->n_children == a->n_children && a->length == rows);
  int seen = 0;
  for (int64_t i = 0; i < s->n_children; i++) {
    CHECK(a->children[i]->length == rows && a->children[i]->null_count == 0);
    seen += strcmp(s->children[i]->name, column) == 0;
  }
  CHECK(seen == 1);
}

static void *release_elsewhere(void *p) {
  struct ArrowArray *a = p;
  a->release(a);
  CHECK(a->release == NULL);
  return NULL;
}

static long resident(void) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  CHECK(f && fscanf(f, "%*d %ld", &pages) == 1);
  fclose(f);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void arrow(int cycles) {
  uint64_t h = create(NATIVE ",\"autoreset\":\"same_step\"}");
  OK(h, myriant_reset(h, 1));
  OK(h, myriant_step(h, NULL, NULL, 0));
  struct ArrowSchema schema;
  struct ArrowArray array;
  memset(&schema, 0xAB, sizeof schema); /* what C leaves on its stack */
  memset(&array, 0xCD, sizeof array);
  OK(h, myriant_arrow_array(h, MYRIANT_MAIN, 0, &schema, &array));
  look(&schema, &array, 4, "turn");
  const int32_t *turn = array.children[2]->buffers[1];
  CHECK(strcmp(schema.children[2]->name, "turn") == 0 && turn[0] == 1);
  OK(h, myriant_step(h, NULL, NULL, 0));
  CHECK(turn[0] == 1); /* a copy */
  array.release(&array);
  schema.release(&schema);
  CHECK(!array.release && !schema.release);

  OK(h, myriant_arrow_array(h, MYRIANT_MAIN, MYRIANT_VIEW, &schema, &array));
  turn = array.children[2]->buffers[1];
  OK(h, myriant_step(h, NULL, NULL, 0));
  CHECK(turn[0] == 3); /* a view */
  array.release(&array);
  schema.release(&schema);

  struct ArrowArrayStream stream;
  OK(h, myriant_arrow_stream(h, MYRIANT_FINAL, 0, &stream));
  CHECK(stream.get_schema(&stream, &schema) == 0 && stream.get_next(&stream, &array) == 0);
  look(&schema, &array, 4, "reward");
  schema.release(&schema);
  array.release(&array);
  CHECK(stream.get_next(&stream, &array) == 0 && array.release == NULL);
  stream.release(&stream);
  CHECK(stream.release == NULL);
  OK(h, myriant_arrow_stream(h, MYRIANT_MAIN, MYRIANT_VIEW, &stream));
  stream.release(&stream); /* unread */

  double begun = now();
  long before = 0;
  size_t heap = 0;
  for (int i = 0; i < cycles; i++) {
    if (i == cycles / 10) {
      before = resident();
      heap = mallinfo2().uordblks;
    }
    OK(h, myriant_arrow_array(h, i % 2, i % 4 < 2 ? 0 : MYRIANT_VIEW, &schema, &array));
    array.release(&array);
    schema.release(&schema);
    if (i % 1000 == 0) OK(h, myriant_step(h, NULL, NULL, 0));
  }
  long grown = resident() - before;
  long left = (long)(mallinfo2().uordblks - heap);
  printf("arrow: %d cycles in %.1f s, resident memory %+ld kB, C's heap %+ld bytes\n", cycles, now() - begun, grown, left);
  CHECK(SANITIZED || (grown < 8192 && left < 65536));

  /* Released on another thread, after the batch's end. */
  struct ArrowArray late[2];
  OK(h, myriant_arrow_array(h, MYRIANT_MAIN, 0, NULL, &late[0]));
  OK(h, myriant_arrow_array(h, MYRIANT_FINAL, MYRIANT_VIEW, NULL, &late[1]));
  OK(h, myriant_arrow_stream(h, MYRIANT_MAIN, MYRIANT_VIEW, &stream));
  OK(h, myriant_close(h));
  CHECK(stream.get_next(&stream, &array) == 0);
  CHECK(((const int32_t *)array.children[2]->buffers[1])[3] >= 0);
  stream.release(&stream);
  array.release(&array);
  for (int i = 0; i < 2; i++) {
    pthread_t t;
    CHECK(pthread_create(&t, NULL, release_elsewhere, &late[i]) == 0 && pthread_join(t, NULL) == 0);
  }

  /* Boards without ants: lists of no rows. */
  h = create("{\"boards\":2,\"maps\":[\"rows 3\\ncols 4\\nplayers 2\\nm ....\\nm ....\\nm ....\\n\"],"
             "\"rules\":{\"name\":\"ladder\",\"endings\":[{\"check\":\"turn_limit\",\"reason\":\"end\"}]}}");
  OK(h, myriant_reset(h, 1));
  for (uint32_t flags = 0; flags < 2; flags++) {
    OK(h, myriant_arrow_array(h, MYRIANT_MAIN, flags, &schema, &array));
    look(&schema, &array, 2, "ant_mask");
    for (int64_t i = 0; i < schema.n_children; i++) {
      if (strcmp(schema.children[i]->name, "ant_mask") != 0) continue;
      struct ArrowArray *lists = array.children[i]->children[0];
      CHECK(lists->length == 4 && ((const int64_t *)lists->buffers[1])[4] == 0);
      CHECK(lists->children[0]->length == 0 && lists->children[0]->children[0]->buffers[1] != NULL);
    }
    array.release(&array);
    schema.release(&schema);
  }
  OK(h, myriant_arrow_schema(h, &schema));
  CHECK(schema.n_children > 0);
  schema.release(&schema);
  OK(h, myriant_close(h));
}

/* Records some episodes into a folder. */
static void record(const char *folder) {
  uint64_t h = create(NATIVE ",\"rules\":{\"name\":\"ladder\",\"max_turns\":5}}");
  char options[1024];
  snprintf(options, sizeof options, "{\"out\":\"%s\"}", folder);
  WANT(MYRIANT_ERR_CONFIG, h, myriant_record(h, "{}", 2));
  OK(h, myriant_record(h, options, strlen(options)));
  OK(h, myriant_reset(h, 1));
  for (int i = 0; i < 18; i++) OK(h, myriant_step(h, NULL, NULL, 0));
  myriant_bytes b;
  OK(h, myriant_record_stop(h, &b));
  CHECK(told(b, "\"episodes\":12,\"turns\":60"));
  WANT(MYRIANT_ERR_IO, h, myriant_record(h, options, strlen(options)));
  OK(h, myriant_close(h));
}

/* What a capsule holds is released and freed at its end, once. */
static const char *capsule_name(void *capsule) { return *(const char **)capsule; }
static void *capsule_held;
static void *capsule_pointer(void *capsule, const char *name) {
  CHECK(name == *(const char **)capsule);
  return capsule_held;
}
static int threads_saved;
static void *thread_save(void) {
  CHECK(threads_saved++ == 0);
  return &threads_saved;
}
static void thread_restore(void *state) {
  CHECK(state == &threads_saved);
  threads_saved--;
}
static int capsule_frees;
static void capsule_free(void *p) {
  CHECK(p == capsule_held);
  capsule_frees++;
  free(p);
}

static void capsules(void) {
  void *functions[3], *end = NULL;
  const char *(*name)(void *) = capsule_name;
  void *(*pointer)(void *, const char *) = capsule_pointer;
  void (*freed)(void *) = capsule_free, (*destructor)(void *);
  memcpy(&functions[0], &name, sizeof name);
  memcpy(&functions[1], &pointer, sizeof pointer);
  memcpy(&functions[2], &freed, sizeof freed);
  CHECK(myriant_capsule_destructor(NULL, functions[1], functions[2], &end) == MYRIANT_ERR_ARGUMENT && end == NULL);
  CHECK(myriant_capsule_destructor(functions[0], functions[1], functions[2], &end) == MYRIANT_OK);
  memcpy(&destructor, &end, sizeof end);
  uint64_t h = create(NATIVE "}");
  OK(h, myriant_reset(h, 1));
  for (int i = 0; i < 2; i++) { /* as it was given, and moved away by a consumer */
    const char *of = "arrow_array_stream";
    struct ArrowArrayStream *stream = calloc(1, sizeof *stream), moved;
    capsule_held = stream;
    OK(h, myriant_arrow_stream(h, MYRIANT_MAIN, 0, stream));
    moved = *stream;
    if (i) stream->release = NULL;
    destructor(&of);
    if (i) moved.release(&moved);
    of = "arrow_schema";
    struct ArrowSchema *schema = calloc(1, sizeof *schema);
    capsule_held = schema;
    OK(h, myriant_arrow_schema(h, schema));
    destructor(&of);
    of = "arrow_array";
    struct ArrowArray *array = calloc(1, sizeof *array);
    capsule_held = array;
    OK(h, myriant_arrow_array(h, MYRIANT_MAIN, MYRIANT_VIEW, NULL, array));
    destructor(&of);
  }
  CHECK(capsule_frees == 6);

  void *(*save)(void) = thread_save;
  void (*restore)(void *) = thread_restore;
  memcpy(&functions[0], &save, sizeof save);
  memcpy(&functions[2], &restore, sizeof restore);
  CHECK(myriant_block_destructor(functions[1], NULL, functions[2], &end) == MYRIANT_ERR_ARGUMENT);
  CHECK(myriant_block_destructor(functions[1], functions[0], functions[2], &end) == MYRIANT_OK);
  memcpy(&destructor, &end, sizeof end);
  myriant_array table[ROWS];
  OK(h, myriant_arrays(h, table, 4));
  uint64_t block = table[0].block;
  CHECK(myriant_retain(block) == MYRIANT_OK);
  const char *nameless = NULL;
  capsule_held = (void *)(uintptr_t)block;
  destructor(&nameless);
  CHECK(threads_saved == 0 && myriant_release(block) == MYRIANT_ERR_HANDLE);
  OK(h, myriant_close(h));
}

/* Reads what was recorded. */
static void dataset(const char *folder) {
  char options[1024], message[256];
  uint64_t d, r;
  myriant_bytes b;
  snprintf(options, sizeof options, "{\"path\":\"%s\"}", folder);
  CHECK(myriant_dataset_open(options, strlen(options), &d, message, sizeof message) == MYRIANT_OK);
  CHECK(myriant_dataset_info(d, &b, message, sizeof message) == MYRIANT_OK);
  CHECK(told(b, "\"episodes\":12"));
  const char *what = "{\"view\":\"transitions\",\"columns\":[\"reward\",\"actions\"],\"next\":[\"planes\"],\"batch\":7}";
  CHECK(myriant_dataset_read(d, what, strlen(what), &r, message, sizeof message) == MYRIANT_OK);
  CHECK(myriant_reader_info(r, &b, message, sizeof message) == MYRIANT_OK);
  CHECK(told(b, "\"name\":\"actions_offsets\""));
  int64_t count = 0, all = 0;
  myriant_array table[4], last = {0};
  CHECK(myriant_reader_next(r, table, 3, &count, message, sizeof message) == MYRIANT_ERR_ARGUMENT);
  CHECK(myriant_reader_next(r, NULL, 4, &count, message, sizeof message) == MYRIANT_ERR_ARGUMENT);
  for (;;) {
    CHECK(myriant_reader_next(r, table, 4, &count, message, sizeof message) == MYRIANT_OK);
    if (count == 0) break;
    all += count;
    CHECK(row(table, 4, "reward")->shape[0] == count && row(table, 4, "next_planes")->shape[0] == count);
    CHECK(row(table, 4, "actions_offsets")->shape[0] == count + 1);
    CHECK(((const int32_t *)row(table, 4, "actions_offsets")->data)[count] == row(table, 4, "actions")->bytes);
    if (last.block) CHECK(myriant_release(last.block) == MYRIANT_OK);
    last = table[0];
  }
  CHECK(all == 60 * 2);
  CHECK(myriant_dataset_close(d) == MYRIANT_OK && myriant_dataset_close(d) == MYRIANT_OK);
  CHECK(myriant_dataset_info(d, &b, message, sizeof message) == MYRIANT_ERR_CLOSED);
  CHECK(myriant_dataset_close(r) == MYRIANT_OK);
  CHECK(myriant_reader_next(r, table, 4, &count, message, sizeof message) == MYRIANT_ERR_CLOSED);
  CHECK(((const float *)last.data)[0] == ((const float *)last.data)[0]); /* what was read stays */
  CHECK(myriant_release(last.block) == MYRIANT_OK);
  CHECK(myriant_dataset_close(0) == MYRIANT_ERR_HANDLE);
  CHECK(myriant_reader_poll(r, table, 4, 0, &count, message, sizeof message) == MYRIANT_ERR_CLOSED);
  CHECK(myriant_reader_poll(r, table, 4, -1, &count, message, sizeof message) == MYRIANT_ERR_ARGUMENT);

  CHECK(myriant_dataset_open(options, strlen(options), &d, message, sizeof message) == MYRIANT_OK);
  struct ArrowArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowArray array;
  memset(&stream, 0xAB, sizeof stream);
  CHECK(myriant_dataset_stream(d, what, strlen(what), &stream, message, sizeof message) == MYRIANT_ERR_CONFIG);
  what = "{\"view\":\"rows\"}";
  CHECK(myriant_dataset_stream(d, what, strlen(what), &stream, message, sizeof message) == MYRIANT_OK);
  CHECK(myriant_dataset_close(d) == MYRIANT_OK);
  CHECK(stream.get_schema(&stream, &schema) == 0);
  for (all = 0;; all += array.length, array.release(&array)) {
    CHECK(stream.get_next(&stream, &array) == 0);
    if (array.release == NULL) break;
    look(&schema, &array, array.length, "is_final_obs");
  }
  CHECK(all == (60 + 12) * 2);
  schema.release(&schema);
  stream.release(&stream);
  const char *nowhere = "{\"path\":\"/nowhere\"}";
  CHECK(myriant_dataset_open(nowhere, strlen(nowhere), &d, message, sizeof message) == MYRIANT_ERR_IO);
  CHECK(strstr(message, "/nowhere") != NULL);

  char task[512];
  uint64_t t;
  snprintf(task, sizeof task, "{\"do\":\"verify\",\"from\":[\"%s\"]}", folder);
  CHECK(myriant_task_begin(task, strlen(task), &t, message, sizeof message) == MYRIANT_OK);
  CHECK(myriant_task_wait(t, 60000, &b, message, sizeof message) == MYRIANT_OK);
  CHECK(b.length > 12 && memcmp(b.data, "{\"done\":true", 12) == 0);
  CHECK(myriant_release(b.block) == MYRIANT_OK);
  CHECK(myriant_task_wait(t, -1, &b, message, sizeof message) == MYRIANT_ERR_ARGUMENT);
  CHECK(myriant_task_wait(t, 0, NULL, message, sizeof message) == MYRIANT_ERR_ARGUMENT);
  CHECK(myriant_dataset_close(t) == MYRIANT_OK && myriant_dataset_close(t) == MYRIANT_OK);
  CHECK(myriant_task_wait(t, 0, &b, message, sizeof message) == MYRIANT_ERR_CLOSED);
  CHECK(myriant_task_begin("{}", 2, &t, message, sizeof message) == MYRIANT_ERR_CONFIG);
  CHECK(myriant_task_begin(task, strlen(task), NULL, message, sizeof message) == MYRIANT_ERR_ARGUMENT);
}

/* Many batches made and closed, some in the middle of a step. */
static void churn(int cycles) {
  long before = 0;
  for (int i = 0; i < cycles; i++) {
    if (i == cycles / 4) before = resident();
    uint64_t h = create(NATIVE "}");
    OK(h, myriant_reset(h, (uint64_t)i));
    if (i % 2) OK(h, myriant_send(h, NULL));
    OK(h, myriant_close(h));
  }
  long grown = resident() - before;
  printf("churn: %d batches, resident memory %+ld kB\n", cycles, grown);
  CHECK(SANITIZED || grown < 32768);
}

int main(int argc, char **argv) {
  CHECK(argc == 3); /* a folder that is not there, Arrow cycles */
  library();
  wrong();
  steps();
  formica();
  threads();
  panics();
  holds();
  record(argv[1]);
  dataset(argv[1]);
  capsules();
  churn(400);
  arrow(atoi(argv[2]));
  CHECK(myriant_test_blocks() == 0);
  puts("all is as the header says");
  return 0;
}
