// Package lint holds the project's import rules and the test that keeps them.
//
// Reading order: rules.go (the table), graph.go (what is read from the tree
// and how a rule is checked against it). The folder's name starts with a dot,
// so ./... does not reach it: run go test ./.ci/lint/.
package lint
