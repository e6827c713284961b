/* The library loaded while the program runs, as Python does it: what it
 * changes of the process, and that signals reach the program during calls. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

extern char **environ;

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal) {
  (void)signal;
  interrupted++;
}

static void *find(void *library, const char *name) {
  void *f = dlsym(library, name);
  if (!f) fprintf(stderr, "%s\n", dlerror());
  CHECK(f);
  return f;
}

static uint64_t environment(void) {
  uint64_t sum = 14695981039346656037u;
  for (char **e = environ; *e; e++)
    for (char *c = *e;; c++) {
      sum = (sum ^ (uint8_t)*c) * 1099511628211u;
      if (!*c) break;
    }
  return sum;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *interrupt(void *main_thread) {
  for (int i = 0; i < 20; i++) {
    usleep(20000);
    pthread_kill(*(pthread_t *)main_thread, SIGINT);
  }
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc == 2); /* the library */
  struct sigaction mine = {.sa_handler = on_interrupt}, before[NSIG], after;
  CHECK(sigaction(SIGINT, &mine, NULL) == 0 && sigaction(SIGTERM, &mine, NULL) == 0);
  signal(SIGPIPE, SIG_IGN); /* as Python does */
  sigset_t mask, masked;
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  for (int s = 1; s < NSIG; s++) sigaction(s, NULL, &before[s]);
  uint64_t variables = environment();

  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) fprintf(stderr, "%s\n", dlerror());
  CHECK(library);
  CHECK(dlsym(RTLD_DEFAULT, "myriant_abi_version") == NULL);
  CHECK(dlsym(library, "myriant_test_explode") == NULL);
  int32_t (*abi_version)(void);
  *(void **)&abi_version = find(library, "myriant_abi_version");
  CHECK(abi_version() == MYRIANT_ABI_VERSION);
  int32_t (*make)(const char *, size_t, uint64_t *, char *, size_t);
  int32_t (*reset)(uint64_t, uint64_t);
  int32_t (*step)(uint64_t, const myriant_actions *, myriant_array *, int64_t);
  int32_t (*end)(uint64_t);
  *(void **)&make = find(library, "myriant_create");
  *(void **)&reset = find(library, "myriant_reset");
  *(void **)&step = find(library, "myriant_step");
  *(void **)&end = find(library, "myriant_close");

  const char *config = "{\"boards\":64,\"maps\":[\"open-64x96-2p\"],\"policies\":[[\"greedy\",\"hunter\"]],\"workers\":2}";
  uint64_t h;
  CHECK(make(config, strlen(config), &h, NULL, 0) == MYRIANT_OK && reset(h, 1) == MYRIANT_OK);
  pthread_t self = pthread_self(), other;
  CHECK(pthread_create(&other, NULL, interrupt, &self) == 0);
  double until = now() + 20;
  int steps = 0;
  while (interrupted < 10 && now() < until) {
    CHECK(step(h, NULL, NULL, 0) == MYRIANT_OK);
    steps++;
  }
  CHECK(pthread_join(other, NULL) == 0);
  CHECK(interrupted >= 10);
  printf("%d interrupts during %d steps\n", (int)interrupted, steps);
  raise(SIGPIPE); /* ignored, still */

  for (int s = 1; s < NSIG; s++) {
    sigaction(s, NULL, &after);
    int changed = before[s].sa_handler != after.sa_handler;
    int may = s == SIGSEGV || s == SIGBUS || s == SIGFPE || s == SIGPIPE || s == SIGURG;
    if (changed && !may) fprintf(stderr, "the handler of signal %d was changed\n", s);
    CHECK(!changed || may);
  }
  sigaction(SIGINT, NULL, &after); /* it ran on a stack with room for it */
  CHECK(after.sa_flags & SA_ONSTACK);
  pthread_sigmask(SIG_SETMASK, NULL, &masked);
  for (int s = 1; s < NSIG; s++) CHECK(sigismember(&mask, s) == sigismember(&masked, s));
  CHECK(environment() == variables);

  CHECK(end(h) == MYRIANT_OK);
  CHECK(dlclose(library) == 0);
  CHECK(abi_version() == MYRIANT_ABI_VERSION); /* it stays */

  CHECK((library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)) != NULL);
  CHECK(make(config, strlen(config), &h, NULL, 0) == MYRIANT_OK && reset(h, 1) == MYRIANT_OK);
  /* The batch is left open: the program ends all the same. */
  puts("the process is as it was");
  return 0;
}
