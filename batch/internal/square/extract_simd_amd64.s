//go:build goexperiment.simd && amd64

#include "textflag.h"

// AX: bits in the accumulators R8 to R11, BX: index of the word, DI: the word,
// R12: where it is in the first plane, R14: from plane to plane.

#define EXTRACT(plane, acc) \
	MOVQ plane, CX \
	PEXTQ DI, CX, CX \
	SHLXQ AX, CX, CX \
	ORQ CX, acc

// The bits that a full accumulator had no room for. R15: 63 less those it took.
#define REST(plane, acc) \
	MOVQ plane, CX \
	PEXTQ DI, CX, CX \
	SHRQ $1, CX \
	SHRXQ R15, CX, acc

// func extract(stream unsafe.Pointer, width int, planes unsafe.Pointer, span int, plane, list unsafe.Pointer, n int)
TEXT ·extract(SB), NOSPLIT, $8-56
	MOVQ planes+16(FP), R13
	MOVQ span+24(FP), R14
	MOVQ plane+32(FP), SI
	MOVQ list+40(FP), DX
	MOVQ n+48(FP), R9
	LEAQ (DX)(R9*4), BP
	LEAQ (R14)(R14*2), R15
	XORQ AX, AX
	XORQ R8, R8
	XORQ R9, R9
	XORQ R10, R10
	XORQ R11, R11
	JMP  test
loop:
	MOVLQSX (DX), BX
	MOVQ (SI)(BX*8), DI
	LEAQ (R13)(BX*8), R12
	EXTRACT((R12), R8)
	EXTRACT((R12)(R14*1), R9)
	EXTRACT((R12)(R14*2), R10)
	EXTRACT((R12)(R15*1), R11)
	POPCNTQ DI, CX
	ADDQ CX, AX
	ADDQ $4, DX
	CMPQ AX, $64
	JGE  full
test:
	CMPQ DX, BP
	JLT  loop
	MOVQ stream+0(FP), CX
	MOVQ width+8(FP), BX
	MOVQ R8, (CX)
	MOVQ R9, (CX)(BX*1)
	ADDQ BX, CX
	MOVQ R10, (CX)(BX*1)
	ADDQ BX, CX
	MOVQ R11, (CX)(BX*1)
	RET
full:
	MOVQ stream+0(FP), R15
	MOVQ width+8(FP), BX
	MOVQ R8, (R15)
	LEAQ (R15)(BX*1), CX
	MOVQ R9, (CX)
	MOVQ R10, (CX)(BX*1)
	ADDQ BX, CX
	MOVQ R11, (CX)(BX*1)
	ADDQ $8, R15
	MOVQ R15, stream+0(FP)
	// The word had the popcount of DI bits, of which AX-64 are left.
	SUBQ $64, AX
	POPCNTQ DI, CX
	LEAQ (R14)(R14*2), BX
	MOVQ CX, R15
	SUBQ AX, R15
	SUBQ $1, R15
	REST((R12), R8)
	REST((R12)(R14*1), R9)
	REST((R12)(R14*2), R10)
	REST((R12)(BX*1), R11)
	MOVQ BX, R15
	JMP  test
