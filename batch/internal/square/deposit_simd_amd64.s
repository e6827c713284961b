//go:build goexperiment.simd && amd64

#include "textflag.h"

// BX: index of the word, DI: the word, AX: bits taken so far, R8: where in the
// first stream they end, CX: at which bit there, R11: from stream to stream.

#define DEPOSIT(stream, out) \
	SHRXQ CX, stream, R12 \
	PDEPQ DI, R12, R12 \
	MOVQ R12, (out)(BX*8)

// For 58 to 64 bits, which may reach into a ninth byte.
#define DEPOSIT9(stream, ninth, out) \
	MOVBQZX ninth, R12 \
	SHLQ $1, R12 \
	SHLXQ R9, R12, R12 \
	SHRXQ CX, stream, R10 \
	ORQ R10, R12 \
	PDEPQ DI, R12, R12 \
	MOVQ R12, (out)(BX*8)

// func deposit(code, plane, list unsafe.Pointer, n int, stream unsafe.Pointer, span int)
TEXT ·deposit(SB), NOSPLIT, $0-48
	MOVQ code+0(FP), R8
	MOVQ plane+8(FP), SI
	MOVQ list+16(FP), DX
	MOVQ n+24(FP), R9
	MOVQ span+40(FP), R11
	MOVQ 0(R8), R13
	MOVQ 8(R8), R14
	MOVQ 16(R8), R15
	LEAQ (DX)(R9*4), R9
	XORQ AX, AX
	JMP  test
loop:
	MOVLQSX (DX), BX
	MOVQ (SI)(BX*8), DI
	MOVQ AX, CX
	MOVQ AX, R8
	ANDL $7, CX
	SHRQ $3, R8
	ADDQ stream+32(FP), R8
	POPCNTQ DI, R12
	ADDQ R12, AX
	CMPQ R12, $57
	JHI  many
	DEPOSIT((R8), R13)
	DEPOSIT((R8)(R11*1), R14)
	DEPOSIT((R8)(R11*2), R15)
next:
	ADDQ $4, DX
test:
	CMPQ DX, R9
	JLT  loop
	RET
many:
	MOVQ CX, R9
	XORQ $63, R9
	DEPOSIT9((R8), 8(R8), R13)
	DEPOSIT9((R8)(R11*1), 8(R8)(R11*1), R14)
	DEPOSIT9((R8)(R11*2), 8(R8)(R11*2), R15)
	MOVQ n+24(FP), R9
	MOVQ list+16(FP), R10
	LEAQ (R10)(R9*4), R9
	JMP  next
