package abi

import (
	"errors"
	"io/fs"
	"os"
	"syscall"

	"github.com/myriant-rl/myriant/batch"
	"github.com/myriant-rl/myriant/batch/arrowexport"
	"github.com/myriant-rl/myriant/datasets"
	"github.com/myriant-rl/myriant/env"
)

// A failure is an error of a class.
type failure struct {
	status Status
	text   string
}

func (f *failure) Error() string { return f.text }

// classes are the errors of the packages below, and their statuses; the first
// that an error wraps counts.
var classes = []struct {
	err    error
	status Status
}{
	{env.ErrRules, ErrRules}, {env.ErrMap, ErrMap}, {env.ErrOrders, ErrOrders}, {env.ErrNotReset, ErrNotReset},
	{datasets.ErrOptions, ErrConfig}, {datasets.ErrExists, ErrIO},
	{datasets.ErrCorrupt, ErrCorrupt}, {datasets.ErrReplay, ErrCorrupt}, {datasets.ErrSignature, ErrSignature},
	{batch.ErrSnapshot, ErrState}, {env.ErrState, ErrState}, {batch.ErrClosed, ErrClosed}, {arrowexport.ErrExport, ErrExport},
}

// statusOf is the class of an error; of a batch.ErrConfig and of what is in no
// class it is the given one.
func statusOf(err error, other Status) Status {
	var f *failure
	if errors.As(err, &f) {
		return f.status
	}
	if errors.As(err, new(noMemory)) {
		return ErrMemory
	}
	for _, c := range classes {
		if errors.Is(err, c.err) {
			return c.status
		}
	}
	if errors.As(err, new(*fs.PathError)) || errors.As(err, new(*os.LinkError)) || errors.As(err, new(syscall.Errno)) {
		return ErrIO
	}
	return other
}
