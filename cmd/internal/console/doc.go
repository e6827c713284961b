// Package console is what commands need of the place they write to: whether it
// is a terminal and how large (terminal.go), progress while work goes on
// (progress.go), tables (table.go) and numbers for people (numbers.go).
package console
