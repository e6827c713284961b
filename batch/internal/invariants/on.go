//go:build invariants

package invariants

// Enabled tells whether consistency checks are compiled in.
const Enabled = true
