//go:build goexperiment.simd && amd64

#include "go_asm.h"
#include "textflag.h"

// The front x of eight rows moves a cell to all sides, where it is free to. BX
// and DX lead to the words with the columns west and east, from CX on.
#define MOVE(x, up, down) \
	VPADDQ x, x, Z6 \
	VPTERNLOGQ $0xFE, up, down, Z6 \
	VPSRLQ $1, x, Z7 \
	VMOVDQU64 (BX)(CX*1), Z8 \
	VPSRLVQ Z22, Z8, Z8 \
	VPTERNLOGQ $0xFE, Z7, Z8, Z6 \
	VMOVDQU64 (DX)(CX*1), Z9 \
	VPSLLVQ Z23, Z9, Z9 \
	VMOVDQU64 (R10)(CX*1), Z10 \
	VPTERNLOGQ $0xA8, Z10, Z9, Z6 \
	VMOVDQU64 Z6, (R8)(CX*1) \
	VPXORQ Z6, Z10, Z10 \
	VMOVDQU64 Z10, (R10)(CX*1) \
	VPORQ Z6, Z30, Z30 \
	VPTERNLOGQ $0xF8, (R11)(CX*1), Z10, Z31 \
	VPORQ (R12)(CX*1), Z6, Z6 \
	VMOVDQU64 Z6, (R12)(CX*1) \
	ADDQ $64, CX

// func moveFront(f *flowing)
TEXT ·moveFront(SB), NOSPLIT, $0-8
	MOVQ f+0(FP), DI
	MOVQ flowing_front(DI), R8
	MOVQ flowing_before(DI), R9
	MOVQ flowing_free(DI), R10
	MOVQ flowing_units(DI), R11
	MOVQ flowing_ring(DI), AX
	VMOVDQU64 ring_aboveFirst(AX), Z20
	VMOVDQU64 ring_belowLast(AX), Z21
	XORL AX, AX
	MOVQ AX, flowing_swapped(DI)

	// The front's own level.
	MOVQ flowing_seen+0(DI), R12
	MOVQ flowing_words(DI), CX
	IMULQ flowing_column(DI), CX
seen:
	VMOVDQU64 -64(R8)(CX*1), Z0
	VPORQ -64(R12)(CX*1), Z0, Z0
	VMOVDQU64 Z0, -64(R12)(CX*1)
	SUBQ $64, CX
	JNZ seen

level:
	XCHGQ R8, R9
	XORQ $1, flowing_swapped(DI)
	VPXORQ Z30, Z30, Z30
	VPXORQ Z31, Z31, Z31
	MOVQ flowing_sides(DI), SI
	MOVQ flowing_words(DI), R13
	MOVQ flowing_seen+0(DI), AX
	MOVQ flowing_seen+8(DI), R12
	MOVQ flowing_seen+16(DI), BX
	MOVQ R12, flowing_seen+0(DI)
	MOVQ BX, flowing_seen+8(DI)
	MOVQ AX, flowing_seen+16(DI)
	XORL CX, CX

column:
	MOVQ R9, AX
	SUBQ CX, AX
	MOVQ beside_west(SI), BX
	IMULQ flowing_column(DI), BX
	ADDQ AX, BX
	MOVQ beside_east(SI), DX
	IMULQ flowing_column(DI), DX
	ADDQ AX, DX
	VPBROADCASTQ beside_fromWest(SI), Z22
	VPBROADCASTQ beside_fromEast(SI), Z23
	MOVQ flowing_column(DI), R14
	LEAQ -64(CX)(R14*1), AX
	SHRQ $6, R14
	VMOVDQU64 (R9)(CX*1), Z0
	VMOVDQU64 (R9)(AX*1), Z1
	VMOVDQA64 Z0, Z5
	VMOVDQA64 Z20, Z2
	VPERMI2Q Z0, Z1, Z2
	DECQ R14
	JZ lastRows

	PCALIGN $64
rows:
	// The rows above and below are made of the vectors beside, as a load of them
	// would meet two stores that are still on their way.
	VMOVDQU64 64(R9)(CX*1), Z3
	VALIGNQ $1, Z0, Z3, Z4
	MOVE(Z0, Z2, Z4)
	VALIGNQ $7, Z0, Z3, Z2
	VMOVDQA64 Z3, Z0
	DECQ R14
	JNZ rows

lastRows:
	VMOVDQA64 Z21, Z4
	VPERMI2Q Z5, Z0, Z4
	MOVE(Z0, Z2, Z4)
	ADDQ $beside__size, SI
	DECQ R13
	JNZ column

	VPTESTMQ Z31, Z31, K2
	VPTESTMQ Z30, Z30, K1
	KMOVW K2, BX
	KMOVW K1, AX
	TESTL BX, BX
	JZ over
	TESTL AX, AX
	JZ over
	DECQ flowing_steps(DI)
	JNZ level

over:
	MOVQ BX, flowing_left(DI)
	VZEROUPPER
	RET
