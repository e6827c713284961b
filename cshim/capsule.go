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

// Between addresses and functions C has no conversion.
static void set(void *function, const void *address) { memcpy(function, &address, sizeof address); }

static void *ends_here(void (*end)(void *)) {
	process = getpid();
	void *address;
	memcpy(&address, &end, sizeof address);
	return address;
}

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
	set(&capsule_name, name);
	set(&capsule_pointer, pointer);
	set(&memory_free, free);
	return ends_here(end_capsule);
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
	set(&capsule_pointer, pointer);
	set(&let_run, save);
	set(&go_on, restore);
	return ends_here(end_block);
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
