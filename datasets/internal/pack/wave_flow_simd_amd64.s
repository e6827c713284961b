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
	VPTESTMQ (R11)(CX*1), Z6, K1 \
	KMOVB K1, (R12) \
	KORW K1, K2, K2 \
	ADDQ $64, CX \
	INCQ R12

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
	MOVQ AX, flowing_done(DI)

level:
	XCHGQ R8, R9
	VPXORQ Z30, Z30, Z30
	KXORW K2, K2, K2
	MOVQ flowing_sides(DI), SI
	MOVQ flowing_words(DI), R13
	MOVQ flowing_hits(DI), R12
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
	ADDQ flowing_hitsPad(DI), R12
	ADDQ $beside__size, SI
	DECQ R13
	JNZ column

	INCQ flowing_done(DI)
	VPTESTMQ Z30, Z30, K1
	KMOVW K1, AX
	KMOVW K2, BX
	TESTL BX, BX
	JNZ over
	TESTL AX, AX
	JZ over
	DECQ flowing_levels(DI)
	JNZ level

over:
	MOVQ AX, flowing_entered(DI)
	MOVQ BX, flowing_reached(DI)
	VZEROUPPER
	RET
