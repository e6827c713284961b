//go:build cgo

package main

/*
#cgo CFLAGS: -std=c99 -Wall -Wextra -I${SRCDIR}/include
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include "myriant.h"

typedef const void const_void;

static const char *(*capsule_name)(void *);
static void *(*capsule_pointer)(void *, const char *);
static void (*memory_free)(void *);
static void *(*let_run)(void);
static void (*go_on)(void *);
static pid_t process;

// Touches Python's error indicator nowhere: capsules end while exceptions are on their way, too.
static void end_capsule(void *capsule) {
	const char *name = capsule_name(capsule);
	void *p = name != NULL ? capsule_pointer(capsule, name) : NULL;
	if (p == NULL) return;
	if (getpid() == process) {
		struct ArrowSchema *schema = p;
		struct ArrowArray *array = p;
		struct ArrowArrayStream *stream = p;
		if (strcmp(name, "arrow_schema") == 0 && schema->release != NULL) schema->release(schema);
		if (strcmp(name, "arrow_array") == 0 && array->release != NULL) array->release(array);
		if (strcmp(name, "arrow_array_stream") == 0 && stream->release != NULL) stream->release(stream);
	}
	memory_free(p);
}

static void *capsule_destructor(const void *name, const void *pointer, const void *free) {
	memcpy(&capsule_name, &name, sizeof name);
	memcpy(&capsule_pointer, &pointer, sizeof pointer);
	memcpy(&memory_free, &free, sizeof free);
	process = getpid();
	void (*end)(void *) = end_capsule;
	void *out;
	memcpy(&out, &end, sizeof out);
	return out;
}

// Others run while the library frees memory, as in a call from Python.
static void end_block(void *capsule) {
	void *number = capsule_pointer(capsule, NULL);
	if (number == NULL || getpid() != process) return;
	void *state = let_run();
	myriant_release((uintptr_t)number);
	go_on(state);
}

static void *block_destructor(const void *pointer, const void *save, const void *restore) {
	memcpy(&capsule_pointer, &pointer, sizeof pointer);
	memcpy(&let_run, &save, sizeof save);
	memcpy(&go_on, &restore, sizeof restore);
	process = getpid();
	void (*end)(void *) = end_block;
	void *out;
	memcpy(&out, &end, sizeof out);
	return out;
}
*/
import "C"

import "unsafe"

// capsuleDestructor is what a capsule of Python's calls at its end, which uses
// the given functions of Python's.
func capsuleDestructor(name, pointer, free unsafe.Pointer) unsafe.Pointer {
	return C.capsule_destructor(name, pointer, free)
}

// blockDestructor is the same for capsules that hold a block.
func blockDestructor(pointer, save, restore unsafe.Pointer) unsafe.Pointer {
	return C.block_destructor(pointer, save, restore)
}
