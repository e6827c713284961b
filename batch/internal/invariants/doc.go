// Package invariants switches the fast engine's own consistency checks.
//
// A check reads
//
//	if invariants.Enabled {
//		checkWhatMustHold()
//	}
//
// and panics when the engine has a bug. Without the build tag "invariants"
// Enabled is the constant false and the compiler removes the check and
// everything that only it uses. CI runs both.
package invariants
