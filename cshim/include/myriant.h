/* The C interface of Myriant: batches of boards of any game that the library
 * holds. The JSON forms (configuration, spec, catalog) are described in
 * cshim/doc.go; the README beside it has an example. Little-endian, 64-bit
 * machines only.
 *
 * Rules that hold for every function:
 *
 *   Status     The result is a status, MYRIANT_OK (0) or an error class from
 *              myriant_constants.h. After any error but MYRIANT_ERR_PANIC
 *              nothing has changed, outputs included.
 *   Messages   Functions that take a handle leave the reason of their last
 *              error with the handle, see myriant_last_error. The others take
 *              a buffer (message, capacity), which may be NULL, 0: the reason
 *              is copied into it, cut at capacity-1 bytes, NUL-terminated.
 *   Handles    Numbers that are never used twice and never dereferenced. 0 and
 *              numbers that were never given out are MYRIANT_ERR_HANDLE, closed
 *              ones MYRIANT_ERR_CLOSED.
 *   Threads    A handle may be used from any thread, by one at a time. While a
 *              call is under way, or a step that was sent, calls of the same
 *              handle return MYRIANT_ERR_BUSY at once; "any time" below
 *              means that a function never does. Different handles are
 *              independent.
 *   Panics     A bug in the library, in whatever thread of it, is
 *              MYRIANT_ERR_PANIC. The handle then answers so to everything but
 *              myriant_close, myriant_last_error, and the release of memory.
 *   Fork       A child of fork() must not call the library: its threads are
 *              gone. The library does not notice; callers compare process ids.
 *   Signals    No handler is replaced but those of SIGSEGV, SIGBUS, SIGFPE,
 *              SIGPIPE and SIGURG, which pass on what is not the library's. A
 *              handler that is installed after loading needs SA_ONSTACK
 *              (Python's have it): it may run on a thread with a small stack.
 *              Calls are not interrupted by signals: use myriant_send and
 *              myriant_recv with a timeout where a step may be long.
 *   Input      Pointers are read during the call only, but for the actions of
 *              myriant_send. They may be NULL where their count is 0.
 *
 * Memory
 *
 *   Arrays and bytes that the library gives out lie in blocks: 64-byte
 *   aligned, with 64 readable bytes after their end, outside any garbage
 *   collector. A block lives while its batch writes to it or anybody holds it:
 *   myriant_retain adds a hold, myriant_release takes one away, both any time,
 *   from any thread, before or after myriant_close. Whoever keeps a pointer
 *   into a block across calls of the handle must hold it. A held block keeps
 *   its address; the batch overwrites its contents in every call that steps or
 *   resets boards, and never after myriant_close.
 *
 *   The blocks of ragged arrays (an entry per ant, say) are replaced when they
 *   grow: look at the table again after every call that changes boards.
 */
#ifndef MYRIANT_H
#define MYRIANT_H

#include <stddef.h>
#include <stdint.h>

#include "myriant_constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that the library made: a text, a snapshot, a state. The caller holds
 * the block once and must release it. Texts are UTF-8, and a NUL, not counted,
 * follows them. */
typedef struct myriant_bytes {
  const void *data; /* never NULL */
  int64_t length;
  uint64_t block;
} myriant_bytes;

/* One array of a batch, as a row of its table: C-contiguous. The caller does
 * not hold the block. */
typedef struct myriant_array {
  void *data;     /* 64-byte aligned, never NULL */
  int64_t bytes;  /* product of shape and element size */
  uint64_t block; /* changes when the data moves */
  int32_t dtype;  /* MYRIANT_DTYPE_.. */
  int32_t ndim;
  int64_t shape[MYRIANT_MAX_NDIM]; /* shape[0] of a ragged array changes; 0 after ndim */
  char name[MYRIANT_MAX_NAME];     /* NUL-terminated */
} myriant_array;

/* Memory of the caller. bytes must be that of the array or head that it is
 * used for, and dtype its dtype. With shape (ndim numbers) the shape must be
 * too; with strides (ndim numbers, in bytes) they must be those of C order,
 * where axes of length 1 do not count. data needs the alignment of the
 * element type. */
typedef struct myriant_buffer {
  void *data; /* NULL only if bytes is 0 */
  int64_t bytes;
  const int64_t *shape;   /* or NULL: not checked */
  const int64_t *strides; /* or NULL: contiguous, says the caller */
  int32_t dtype;          /* MYRIANT_DTYPE_.. */
  int32_t ndim;
} myriant_buffer;

/* One step's actions, in the shape that a head of the spec declares. */
typedef struct myriant_actions {
  const char *head; /* NUL-terminated name, such as "ant"; or NULL: every seat plays natively */
  myriant_buffer buffer;
  uint64_t seed;     /* with MYRIANT_SAMPLE: draws depend on it, board, seat and turn */
  float temperature; /* with MYRIANT_SAMPLE; 0 is 1 */
  uint32_t flags;    /* MYRIANT_SAMPLE: draw from the masked softmax of logits instead of taking the argmax */
} myriant_actions;

/* A run of bytes of the caller. */
typedef struct myriant_span {
  const void *data;
  int64_t length;
} myriant_span;

/* The C Data Interface of Apache Arrow, as its specification gives it. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif
#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

/* ---- the library: any time, from any thread ---- */

/* MYRIANT_ABI_VERSION of the library. Whoever loads it compares it with the
 * header's before anything else. Not a status. */
int32_t myriant_abi_version(void);

/* The version of the library, such as "0.1.0": NUL-terminated, lives as long
 * as the process. */
const char *myriant_version(void);

/* The name of a status, such as "busy": as myriant_version. */
const char *myriant_status_name(int32_t status);

/* What the library holds, as JSON: games, rule sets and their behaviour
 * signatures, bundled maps, policies, reward terms, options. */
int32_t myriant_catalog(myriant_bytes *out);

/* A map as its canonical JSON. map is one entry of a configuration's "maps":
 * JSON, so a name has its quotes. MYRIANT_ERR_CONFIG for an unknown game,
 * MYRIANT_ERR_MAP. */
int32_t myriant_map(const char *game, size_t game_length, const char *map, size_t map_length, myriant_bytes *out,
                    char *message, size_t capacity);

/* The spec of the batch that a configuration describes, without making it.
 * MYRIANT_ERR_CONFIG, _RULES, _MAP as for myriant_create. */
int32_t myriant_spec(const char *config, size_t length, myriant_bytes *out, char *message, size_t capacity);

/* Makes a batch; it has no episodes before myriant_reset. Its threads and
 * memory are the handle's, until myriant_close. MYRIANT_ERR_CONFIG for a bad
 * configuration, MYRIANT_ERR_RULES, MYRIANT_ERR_MAP, MYRIANT_ERR_MEMORY. */
int32_t myriant_create(const char *config, size_t length, uint64_t *handle, char *message, size_t capacity);

/* Adds a hold to a block that is held or that a batch writes to. With
 * MYRIANT_ERR_HANDLE it is gone: its array moved or its batch was closed. */
int32_t myriant_retain(uint64_t block);

/* Takes a hold away; with the last one the memory is freed. MYRIANT_ERR_HANDLE
 * if the caller side holds no such block. */
int32_t myriant_release(uint64_t block);

/* ---- a handle ---- */

/* Ends a batch. What was sent is finished first, up to the end of the step;
 * recording ends as with myriant_record_stop. Held blocks live on. Closing
 * again is MYRIANT_OK. MYRIANT_ERR_BUSY while another thread is in a call;
 * MYRIANT_ERR_IO if what was recorded could not be written (it is closed all the same). */
int32_t myriant_close(uint64_t handle);

/* Copies the reason of the handle's last error into the buffer, cut at
 * capacity-1 bytes, NUL-terminated, and its whole length to *length; either
 * may be NULL. MYRIANT_ERR_BUSY, _HANDLE, _CLOSED and MYRIANT_PENDING leave no
 * reason. Any time; of the last 64 handles that had an error, also after
 * myriant_close. */
int32_t myriant_last_error(uint64_t handle, char *message, size_t capacity, int64_t *length);

/* The spec of the batch, as myriant_spec tells it. Any time. */
int32_t myriant_handle_spec(uint64_t handle, myriant_bytes *out);

/* The table of the batch's arrays: the exported ones in the order of the spec,
 * then, with autoreset same_step, the final set in the same order. rows must be the
 * spec's "table". The table is the caller's; what its data points to is the
 * library's, see Memory. */
int32_t myriant_arrays(uint64_t handle, myriant_array *table, int64_t rows);

/* Copies array number row of the table into the caller's memory. */
int32_t myriant_read(uint64_t handle, int64_t row, const myriant_buffer *to);

/* Starts episode 0 of every board. Episode e of board b has a seed that
 * depends on (seed, b, e) alone. */
int32_t myriant_reset(uint64_t handle, uint64_t seed);

/* Starts a new episode on the boards whose byte in the mask is not 0. boards
 * is the number of boards. seeds is NULL, and each board goes on with the next
 * episode of its stream, or has a number for every board, read where
 * the mask is set:
 *
 *   MYRIANT_SEEDS_STREAM   the board begins the stream that the only board of a
 *                          batch has after myriant_reset with that seed. Legal
 *                          before myriant_reset if the mask has every board.
 *   MYRIANT_SEEDS_EPISODE  it is the episode's own seed, as datasets and
 *                          replays give it; the stream goes on after it.
 */
int32_t myriant_reset_mask(uint64_t handle, const uint8_t *mask, int64_t boards, const uint64_t *seeds, int32_t kind);

/* Plays one step of every board, then fills the table as myriant_arrays does;
 * NULL, 0 fills none. actions may be NULL: every seat plays natively.
 * MYRIANT_ERR_ORDERS: an action that the game refuses (the message names board
 * and seat), or a buffer of the wrong size, dtype or layout.
 * MYRIANT_ERR_NOT_RESET. */
int32_t myriant_step(uint64_t handle, const myriant_actions *actions, myriant_array *table, int64_t rows);

/* As myriant_step, but returns at once; the step is played by the library's
 * threads. The actions' memory must stay as it is until myriant_recv or
 * myriant_close has returned MYRIANT_OK or an error other than _BUSY. What is
 * wrong with the buffer is told here, what is wrong with the actions by
 * myriant_recv. */
int32_t myriant_send(uint64_t handle, const myriant_actions *actions);

/* Waits for the step that was sent and returns its status; the table as in
 * myriant_step. timeout_ms < 0 waits as long as it takes; else, after so many
 * milliseconds, MYRIANT_PENDING: call again. MYRIANT_ERR_IDLE: nothing was sent. */
int32_t myriant_recv(uint64_t handle, int32_t timeout_ms, myriant_array *table, int64_t rows);

/* Plays one step of one board alone, with orders in the game's own encoding,
 * one span a seat in board order; seats that a policy plays follow the spans too. Rewards and
 * flags of the arrays are not touched, observations are written anew. After
 * the episode's end it changes nothing. MYRIANT_ERR_ORDERS. */
int32_t myriant_step_board(uint64_t handle, int64_t board, const myriant_span *orders, int64_t seats);

/* Boards as bytes: state, generators, statistics and the stream of seeds. A
 * restored board plays on exactly as the original would have. boards has
 * count board numbers. */
int32_t myriant_snapshot(uint64_t handle, const int64_t *boards, int64_t count, myriant_bytes *out);

/* Puts the boards of a snapshot, in its order, in place of the given ones, of
 * this or another batch with the same rules and, board for board, maps.
 * MYRIANT_ERR_STATE for bytes that are no such snapshot. */
int32_t myriant_restore(uint64_t handle, const int64_t *boards, int64_t count, const void *data, int64_t length);

/* Makes board to[i] the same as board from[i], for all i in order; both are on
 * the same map. */
int32_t myriant_clone(uint64_t handle, const int64_t *to, const int64_t *from, int64_t count);

/* The hash of the canonical state of each of the given boards. */
int32_t myriant_hash(uint64_t handle, const int64_t *boards, int64_t count, uint64_t *out);

/* The canonical state of a board: equal bytes, equal states. */
int32_t myriant_state(uint64_t handle, int64_t board, myriant_bytes *out);

/* Replaces a board's state. MYRIANT_ERR_STATE. */
int32_t myriant_set_state(uint64_t handle, int64_t board, const void *data, int64_t length);

/* What one seat may know, as JSON in the game's own form. */
int32_t myriant_view(uint64_t handle, int64_t board, int64_t seat, myriant_bytes *out);

/* How a board stands, as JSON: {"done":false,"truncated":false,"reason":"",
 * "steps":0,"scores":[..],"ranks":[..]}, an entry a seat. */
int32_t myriant_outcome(uint64_t handle, int64_t board, myriant_bytes *out);

/* ---- recording ---- */

/* Records the episodes that boards begin from now on, as a dataset of kind
 * orders in a folder that is new or empty. options is JSON, see cshim/doc.go.
 * An episode is written when it ends; one whose board is restored, cloned
 * onto, set or stepped alone, or that a reset cuts, is left out. Steps take
 * about twice as long. If writing fails, stepping goes on and
 * myriant_record_stop tells. MYRIANT_ERR_CONFIG, MYRIANT_ERR_IO. */
int32_t myriant_record(uint64_t handle, const char *options, size_t length);

/* Ends recording; the folder is then a complete dataset, or empty if no
 * episode ended. out, which may be NULL, gets a summary as JSON.
 * MYRIANT_ERR_IDLE if nothing is recorded, MYRIANT_ERR_IO if writing failed,
 * now or before: the recording has ended then, too. */
int32_t myriant_record_stop(uint64_t handle, myriant_bytes *out);

/* ---- Arrow ---- */

/* The functions below fill structures that the caller has cleared or never
 * used. The caller calls their release functions, once, from any thread, before or
 * after myriant_close. A row is a board; cshim/doc.go says which array becomes
 * which column. set is MYRIANT_MAIN or MYRIANT_FINAL (MYRIANT_ERR_EXPORT
 * without autoreset same_step). flags is 0: the data is a copy, and never
 * changes; or MYRIANT_VIEW: it is the batch's own memory, overwritten by the
 * next call that changes boards. Either is readable until its release. */

/* The schema of all records of the batch. Any time. */
int32_t myriant_arrow_schema(uint64_t handle, struct ArrowSchema *schema);

/* The arrays as they are, as one struct array with a field a column. schema
 * may be NULL. */
int32_t myriant_arrow_array(uint64_t handle, int32_t set, uint32_t flags, struct ArrowSchema *schema, struct ArrowArray *array);

/* The same as a stream of one record. */
int32_t myriant_arrow_stream(uint64_t handle, int32_t set, uint32_t flags, struct ArrowArrayStream *stream);

/* For Python: gives the destructor, a void (*)(PyObject *), of capsules that hold
 * one of Arrow's structures and are named as the PyCapsule interface says. It
 * releases the structure unless that was done, frees it, and touches no error
 * indicator. name, pointer and free are the addresses of PyCapsule_GetName,
 * PyCapsule_GetPointer and PyMem_RawFree; call it from one thread, once. In a child of
 * fork() it only frees. */
int32_t myriant_capsule_destructor(const void *name, const void *pointer, const void *free, void **destructor);

/* The same of capsules without a name, whose pointer is a block's number: it gives
 * back one hold on the block (a destructor in Python would lose a Ctrl-C that comes
 * while it runs). pointer, save and restore are the addresses of
 * PyCapsule_GetPointer, PyEval_SaveThread and PyEval_RestoreThread. In a child of fork()
 * it does nothing. */
int32_t myriant_block_destructor(const void *pointer, const void *save, const void *restore, void **destructor);

/* ---- datasets ----
 *
 * Datasets, readers and tasks have numbers like handles, which no other function
 * takes. The JSON forms are in cshim/doc.go. A dataset may be used by any
 * number of threads at once, a reader by one at a time (MYRIANT_ERR_BUSY).
 * Every function but the last leaves its reason in a buffer. MYRIANT_ERR_CORRUPT
 * and MYRIANT_ERR_IO name the file. */

/* Opens the dataset in a folder. MYRIANT_ERR_CORRUPT, _SIGNATURE, _IO. */
int32_t myriant_dataset_open(const char *options, size_t length, uint64_t *dataset, char *message, size_t capacity);

/* What a dataset is, as JSON: its manifest, how many episodes can be read, the
 * columns of its rows. */
int32_t myriant_dataset_info(uint64_t dataset, myriant_bytes *out, char *message, size_t capacity);

/* One of a dataset's maps as its canonical JSON, by its digest. */
int32_t myriant_dataset_map(uint64_t dataset, const char *digest, size_t length, myriant_bytes *out, char *message,
                            size_t capacity);

/* Begins to read a view of a dataset. The reader reads ahead, on threads of
 * its own, until its end or myriant_dataset_close; the dataset may be closed
 * before. MYRIANT_ERR_CONFIG. */
int32_t myriant_dataset_read(uint64_t dataset, const char *options, size_t length, uint64_t *reader, char *message,
                             size_t capacity);

/* The arrays that a reader gives, as JSON. */
int32_t myriant_reader_info(uint64_t reader, myriant_bytes *out, char *message, size_t capacity);

/* What comes next: *count entries, 0 at the end. table has a row for every
 * array of the reader's info, and is left alone at the end. All its arrays lie
 * in one block, which never changes: unlike with a batch, the caller holds it
 * once and must release it. After MYRIANT_ERR_CORRUPT or _IO there is no more,
 * and every call tells so. */
int32_t myriant_reader_next(uint64_t reader, myriant_array *table, int64_t rows, int64_t *count, char *message,
                            size_t capacity);

/* The same, but waits so many milliseconds at most: *count is -1 if nothing came by then. */
int32_t myriant_reader_poll(uint64_t reader, myriant_array *table, int64_t rows, int64_t milliseconds, int64_t *count,
                            char *message, size_t capacity);

/* All rows of a dataset, as they are read, as a stream of records. The
 * options are those of myriant_dataset_read with the view "rows". Records are
 * copies, the caller's until their release. */
int32_t myriant_dataset_stream(uint64_t dataset, const char *options, size_t length, struct ArrowArrayStream *stream,
                               char *message, size_t capacity);

/* Begins work on whole datasets, on threads of its own: to generate, convert,
 * merge, split, verify or count one. options is JSON, see cshim/doc.go.
 * MYRIANT_ERR_CONFIG, and for the datasets that are read as myriant_dataset_open. */
int32_t myriant_task_begin(const char *options, size_t length, uint64_t *task, char *message, size_t capacity);

/* Waits for the end of a task, so many milliseconds at most, and gives JSON of
 * how it stands, or what came of it. Any number of threads may wait. A task that
 * failed gives its status every time: MYRIANT_ERR_CONFIG, _RULES, _MAP,
 * _CORRUPT, _IO. */
int32_t myriant_task_wait(uint64_t task, int64_t milliseconds, myriant_bytes *out, char *message, size_t capacity);

/* Ends a dataset, a reader or a task; again is MYRIANT_OK. What was read stays. Another
 * thread's myriant_reader_next gets what there was, or the end. A task that is
 * under way ends early, before this returns: what it wrote is a dataset of its
 * whole files. */
int32_t myriant_dataset_close(uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
