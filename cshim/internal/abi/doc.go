// Package abi is what the shared library does, in Go types: handles, blocks of
// memory, statuses, JSON forms. The exports in package main only convert C
// types to these.
package abi
