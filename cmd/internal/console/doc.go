// Package console is what commands need of the place they write to: whether it
// is a terminal and how large (terminal.go), progress while work goes on
// (progress.go), tables (table.go), numbers for people (numbers.go) and text of others (text.go).
package console
