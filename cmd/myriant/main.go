// Command myriant plays, records and measures games for reinforcement
// learning.
//
// Each command is a file: an options struct, flags bound to it, and a RunE
// that calls the libraries. root.go puts them together.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// Exit codes. Scripts may rely on them.
const (
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		// The first signal asks the command to stop; a second one ends it at once.
		signal.Stop(signals)
		cancel()
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs a command line and returns the exit code. Errors go to stderr, once.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(append([]string{}, args...)) // nil would be the process's own
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	// The libraries hand the context's error on; to the user it was a signal.
	fmt.Fprintf(stderr, "myriant: %s\n", strings.ReplaceAll(err.Error(), context.Canceled.Error(), "interrupted"))
	var usage *usageError
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(stderr, "See '%s --help'.\n", usage.command)
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	return exitFailed
}
