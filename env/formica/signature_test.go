package formica

import (
	"regexp"
	"testing"
)

func TestEveryVariantHasASignature(t *testing.T) {
	form := regexp.MustCompile(`^[0-9a-f]{16}$`)
	for _, name := range Variants() {
		if s := Signature(name); !form.MatchString(s) {
			t.Errorf("the signature of %s is %q, want 16 hex digits", name, s)
		}
	}
	if s := Signature("none such"); s != "" {
		t.Errorf("a variant that does not exist has the signature %q", s)
	}
}
