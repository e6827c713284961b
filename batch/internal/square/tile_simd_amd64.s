//go:build goexperiment.simd && amd64

#include "textflag.h"

// A plane of 32 rows and columns is two vectors of sixteen rows, A and B. A row
// is a lane of 32 bits, so moving columns is rotating lanes, and moving rows is
// picking sixteen neighbouring rows out of the ring of A and B.

DATA tileEven<>+0(SB)/8, $0x0000000200000000
DATA tileEven<>+8(SB)/8, $0x0000000600000004
DATA tileEven<>+16(SB)/8, $0x0000000a00000008
DATA tileEven<>+24(SB)/8, $0x0000000e0000000c
DATA tileEven<>+32(SB)/8, $0x0000001200000010
DATA tileEven<>+40(SB)/8, $0x0000001600000014
DATA tileEven<>+48(SB)/8, $0x0000001a00000018
DATA tileEven<>+56(SB)/8, $0x0000001e0000001c
GLOBL tileEven<>(SB), RODATA|NOPTR, $64

// From rows of 64 bits, with tileEven in even.
#define LOAD(from, even, a, b) \
	VMOVDQU64 (from), a \
	VPERMT2D 64(from), even, a \
	VMOVDQU64 128(from), b \
	VPERMT2D 192(from), even, b

// The row k further down or up, for A; with A and B swapped for B.
#define BELOW(k, a, b, out) VALIGND $k, a, b, out
#define ABOVE(k, a, b, out) VALIGND $(16-k), b, a, out

// c is what it was and x and y; its sum with x and y, and the carry.
#define OR3(x, y, c) VPTERNLOGD $0xFE, x, y, c
#define XOR3(x, y, c) VPTERNLOGD $0x96, x, y, c
#define MAJ(x, y, c) VPTERNLOGD $0xE8, x, y, c
// c with what x and y have in common.
#define ORAND(x, y, c) VPTERNLOGD $0xF8, x, y, c

#define WIDEN(k, x, t, u) \
	VPROLD $k, x, t \
	VPRORD $k, x, u \
	OR3(t, u, x)

// Adds the lanes of x, of 64 bits; the sum goes to out.
#define REDUCE(x, xy, t, ty, tx, xx, out) \
	VEXTRACTI64X4 $1, x, ty \
	VPADDQ xy, ty, ty \
	VEXTRACTI128 $1, ty, xx \
	VPADDQ tx, xx, tx \
	VPSHUFD $0x4E, tx, xx \
	VPADDQ tx, xx, tx \
	VMOVQ tx, out

// func tileSee(seen, known, mine unsafe.Pointer)
TEXT ·tileSee(SB), NOSPLIT, $0-24
	MOVQ seen+0(FP), AX
	MOVQ known+8(FP), BX
	MOVQ mine+16(FP), CX
	VMOVDQU64 tileEven<>(SB), Z31
	LOAD(CX, Z31, Z0, Z1)
	BELOW(1, Z0, Z1, Z2)
	BELOW(1, Z1, Z0, Z3)
	ABOVE(1, Z0, Z1, Z4)
	ABOVE(1, Z1, Z0, Z5)
	VPORD Z0, Z2, Z6
	VPORD Z1, Z3, Z7
	VPORD Z0, Z4, Z8
	VPORD Z1, Z5, Z9
	VPORD Z6, Z4, Z10
	VPORD Z7, Z5, Z11
	// Up to three rows away.
	BELOW(2, Z10, Z11, Z12)
	ABOVE(2, Z10, Z11, Z13)
	BELOW(2, Z11, Z10, Z14)
	ABOVE(2, Z11, Z10, Z15)
	OR3(Z12, Z13, Z10)
	OR3(Z14, Z15, Z11)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	// Four and five.
	BELOW(4, Z6, Z7, Z12)
	ABOVE(4, Z8, Z9, Z13)
	BELOW(4, Z7, Z6, Z14)
	ABOVE(4, Z9, Z8, Z15)
	OR3(Z12, Z13, Z10)
	OR3(Z14, Z15, Z11)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	BELOW(6, Z0, Z1, Z16)
	ABOVE(6, Z0, Z1, Z17)
	BELOW(6, Z1, Z0, Z18)
	ABOVE(6, Z1, Z0, Z19)
	OR3(Z16, Z17, Z10)
	OR3(Z18, Z19, Z11)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	BELOW(7, Z0, Z1, Z16)
	ABOVE(7, Z0, Z1, Z17)
	BELOW(7, Z1, Z0, Z18)
	ABOVE(7, Z1, Z0, Z19)
	OR3(Z16, Z17, Z10)
	OR3(Z18, Z19, Z11)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	BELOW(8, Z0, Z1, Z16)
	ABOVE(8, Z0, Z1, Z17)
	BELOW(8, Z1, Z0, Z18)
	ABOVE(8, Z1, Z0, Z19)
	OR3(Z16, Z17, Z10)
	OR3(Z18, Z19, Z11)
	WIDEN(1, Z10, Z12, Z13)
	WIDEN(1, Z11, Z14, Z15)
	WIDEN(2, Z10, Z12, Z13)
	WIDEN(2, Z11, Z14, Z15)
	VEXTRACTI64X4 $1, Z10, Y12
	VEXTRACTI64X4 $1, Z11, Y13
	VPMOVZXDQ Y10, Z0
	VPMOVZXDQ Y12, Z1
	VPMOVZXDQ Y11, Z2
	VPMOVZXDQ Y13, Z3
	VMOVDQU64 Z0, (AX)
	VMOVDQU64 Z1, 64(AX)
	VMOVDQU64 Z2, 128(AX)
	VMOVDQU64 Z3, 192(AX)
	VPORQ (BX), Z0, Z0
	VPORQ 64(BX), Z1, Z1
	VPORQ 128(BX), Z2, Z2
	VPORQ 192(BX), Z3, Z3
	VMOVDQU64 Z0, (BX)
	VMOVDQU64 Z1, 64(BX)
	VMOVDQU64 Z2, 128(BX)
	VMOVDQU64 Z3, 192(BX)
	VZEROUPPER
	RET

#define PLUS(a, b, out, t, u) \
	BELOW(1, a, b, out) \
	ABOVE(1, a, b, t) \
	OR3(a, t, out) \
	VPROLD $1, a, t \
	VPRORD $1, a, u \
	OR3(t, u, out)

// func tileGather(food, mine0, mine1 unsafe.Pointer) (counts uint64)
TEXT ·tileGather(SB), NOSPLIT, $0-32
	MOVQ food+0(FP), AX
	MOVQ mine0+8(FP), BX
	MOVQ mine1+16(FP), CX
	VMOVDQU64 tileEven<>(SB), Z31
	LOAD(BX, Z31, Z0, Z1)
	LOAD(CX, Z31, Z2, Z3)
	LOAD(AX, Z31, Z4, Z5)
	PLUS(Z0, Z1, Z6, Z10, Z11)
	PLUS(Z1, Z0, Z7, Z12, Z13)
	PLUS(Z2, Z3, Z8, Z14, Z15)
	PLUS(Z3, Z2, Z9, Z16, Z17)
	// What either reaches.
	VPORD Z6, Z8, Z10
	VPORD Z7, Z9, Z11
	VPANDD Z4, Z10, Z10
	VPANDD Z5, Z11, Z11
	XORQ DX, DX
	VPORD Z10, Z11, Z12
	VPTESTMD Z12, Z12, K1
	KMOVW K1, SI
	TESTL SI, SI
	JZ   none
	// The first alone, the second alone, any.
	VPANDND Z10, Z8, Z12
	VPANDND Z11, Z9, Z13
	VPANDND Z10, Z6, Z14
	VPANDND Z11, Z7, Z15
	VPOPCNTQ Z12, Z12
	VPOPCNTQ Z13, Z13
	VPOPCNTQ Z14, Z14
	VPOPCNTQ Z15, Z15
	VPOPCNTQ Z10, Z16
	VPOPCNTQ Z11, Z17
	VPADDQ Z12, Z13, Z12
	VPADDQ Z14, Z15, Z14
	VPADDQ Z16, Z17, Z16
	VPSLLQ $16, Z14, Z14
	VPSLLQ $32, Z16, Z16
	OR3(Z14, Z16, Z12)
	REDUCE(Z12, Y12, Z13, Y13, X13, X14, DX)
	VEXTRACTI64X4 $1, Z10, Y12
	VEXTRACTI64X4 $1, Z11, Y13
	VPMOVZXDQ Y10, Z0
	VPMOVZXDQ Y12, Z1
	VPMOVZXDQ Y11, Z2
	VPMOVZXDQ Y13, Z3
	VPANDNQ (AX), Z0, Z0
	VPANDNQ 64(AX), Z1, Z1
	VPANDNQ 128(AX), Z2, Z2
	VPANDNQ 192(AX), Z3, Z3
	VMOVDQU64 Z0, (AX)
	VMOVDQU64 Z1, 64(AX)
	VMOVDQU64 Z2, 128(AX)
	VMOVDQU64 Z3, 192(AX)
none:
	MOVQ DX, counts+24(FP)
	VZEROUPPER
	RET

// The enemies in range of each cell, from how many are within one and two
// columns: near is of three columns in two bits, wide of five in three bits.

#define ACROSS(x, near0, near1, wide0, wide1, wide2, t, u) \
	VPROLD $1, x, t \
	VPRORD $1, x, u \
	VMOVDQA64 x, near0 \
	VMOVDQA64 x, near1 \
	XOR3(t, u, near0) \
	MAJ(t, u, near1) \
	VPROLD $2, x, t \
	VPRORD $2, x, u \
	VMOVDQA64 near0, wide0 \
	VMOVDQA64 near0, wide2 \
	XOR3(t, u, wide0) \
	MAJ(t, u, wide2) \
	VPXORD near1, wide2, wide1 \
	VPANDD near1, wide2, wide2

// Sums rows of wide one up and down and of near two up and down, to three bits
// and more, those of 8 and more. It takes the registers from Z12 to Z19.
#define DOWN(w0, w0x, w1, w1x, w2, w2x, n0, n0x, n1, n1x, f0, f1, f2, more) \
	BELOW(1, w0, w0x, Z12) \
	ABOVE(1, w0, w0x, Z13) \
	BELOW(2, n0, n0x, Z14) \
	ABOVE(2, n0, n0x, Z15) \
	VMOVDQA64 w0, Z16 \
	VMOVDQA64 w0, Z17 \
	XOR3(Z12, Z13, Z16) \
	MAJ(Z12, Z13, Z17) \
	VMOVDQA64 Z16, f0 \
	XOR3(Z14, Z15, f0) \
	MAJ(Z14, Z15, Z16) \
	BELOW(1, w1, w1x, Z12) \
	ABOVE(1, w1, w1x, Z13) \
	BELOW(2, n1, n1x, Z14) \
	ABOVE(2, n1, n1x, Z15) \
	VMOVDQA64 w1, Z18 \
	VMOVDQA64 w1, Z19 \
	XOR3(Z12, Z13, Z18) \
	MAJ(Z12, Z13, Z19) \
	VMOVDQA64 Z14, Z12 \
	XOR3(Z15, Z17, Z12) \
	MAJ(Z15, Z17, Z14) \
	VMOVDQA64 Z18, f1 \
	XOR3(Z12, Z16, f1) \
	MAJ(Z12, Z16, Z18) \
	BELOW(1, w2, w2x, Z12) \
	ABOVE(1, w2, w2x, Z13) \
	VMOVDQA64 w2, Z15 \
	VMOVDQA64 w2, Z16 \
	XOR3(Z12, Z13, Z15) \
	MAJ(Z12, Z13, Z16) \
	VMOVDQA64 Z19, Z17 \
	XOR3(Z14, Z18, Z17) \
	MAJ(Z14, Z18, Z19) \
	VPANDD Z15, Z17, Z12 \
	VPXORD Z15, Z17, f2 \
	OR3(Z12, Z19, Z16) \
	VMOVDQA64 Z16, more

// The cells in range of those of a and b, to Z28 and Z29. It takes Z8, Z9, Z10,
// Z26, Z30 and Z31 too.
#define RANGE(a, b) \
	BELOW(1, a, b, Z8) \
	ABOVE(1, a, b, Z10) \
	BELOW(1, b, a, Z9) \
	ABOVE(1, b, a, Z26) \
	OR3(Z10, a, Z8) \
	OR3(Z26, b, Z9) \
	BELOW(2, a, b, Z28) \
	ABOVE(2, a, b, Z10) \
	BELOW(2, b, a, Z29) \
	ABOVE(2, b, a, Z26) \
	OR3(Z10, Z8, Z28) \
	OR3(Z26, Z9, Z29) \
	VPROLD $1, Z28, Z10 \
	VPRORD $1, Z28, Z26 \
	VPROLD $1, Z29, Z30 \
	VPRORD $1, Z29, Z31 \
	OR3(Z10, Z26, Z28) \
	OR3(Z30, Z31, Z29) \
	VPROLD $2, Z8, Z10 \
	VPRORD $2, Z8, Z26 \
	VPROLD $2, Z9, Z30 \
	VPRORD $2, Z9, Z31 \
	OR3(Z10, Z26, Z28) \
	OR3(Z30, Z31, Z29)

// One focus: those of either seat that have it, to Z2 Z4 and Z6 Z7; with those
// of less, to Z12 Z13 and Z14 Z15; who dies of them, to Z16 Z17 and Z18 Z19.
#define FOCUS(table) \
	VMOVDQA64 Z20, Z2 \
	VPTERNLOGD $table, Z22, Z21, Z2 \
	VMOVDQA64 Z23, Z4 \
	VPTERNLOGD $table, Z25, Z24, Z4 \
	VMOVDQA64 Z0, Z6 \
	VPTERNLOGD $table, Z27, Z1, Z6 \
	VMOVDQA64 Z3, Z7 \
	VPTERNLOGD $table, Z11, Z5, Z7 \
	VPORD Z2, Z12, Z12 \
	VPORD Z4, Z13, Z13 \
	VPORD Z6, Z14, Z14 \
	VPORD Z7, Z15, Z15 \
	RANGE(Z14, Z15) \
	ORAND(Z28, Z2, Z16) \
	ORAND(Z29, Z4, Z17) \
	RANGE(Z12, Z13) \
	ORAND(Z28, Z6, Z18) \
	ORAND(Z29, Z7, Z19)

// func tileFight(mine0, mine1, all, dead unsafe.Pointer) (died uint64, ok bool)
TEXT ·tileFight(SB), NOSPLIT, $0-41
	MOVQ mine0+0(FP), AX
	MOVQ mine1+8(FP), BX
	VMOVDQU64 tileEven<>(SB), Z16
	LOAD(AX, Z16, Z20, Z21)
	LOAD(BX, Z16, Z22, Z23)
	XORQ DX, DX
	RANGE(Z22, Z23)
	VPTESTMD Z28, Z20, K1
	VPTESTMD Z29, Z21, K2
	KORTESTW K1, K2
	JZ   done
	// The focus of the first seat's ants, Z24 Z25 Z26 and Z27 Z0 Z1; that of 8
	// or more is left to others.
	ACROSS(Z22, Z2, Z4, Z6, Z8, Z10, Z12, Z13)
	ACROSS(Z23, Z3, Z5, Z7, Z9, Z11, Z14, Z15)
	DOWN(Z6, Z7, Z8, Z9, Z10, Z11, Z2, Z3, Z4, Z5, Z24, Z25, Z26, Z28)
	DOWN(Z7, Z6, Z9, Z8, Z11, Z10, Z3, Z2, Z5, Z4, Z27, Z0, Z1, Z29)
	VPTESTMD Z28, Z20, K1
	VPTESTMD Z29, Z21, K2
	KORTESTW K1, K2
	JNZ  many
	VPANDD Z20, Z24, Z24
	VPANDD Z20, Z25, Z25
	VPANDD Z20, Z26, Z26
	VPANDD Z21, Z27, Z27
	VPANDD Z21, Z0, Z30
	VPANDD Z21, Z1, Z31
	// The other's, Z0 Z1 Z27 and Z3 Z5 Z11.
	ACROSS(Z20, Z2, Z4, Z6, Z8, Z10, Z12, Z13)
	ACROSS(Z21, Z3, Z5, Z7, Z9, Z11, Z14, Z15)
	VMOVDQA64 Z24, Z20
	VMOVDQA64 Z25, Z21
	VMOVDQA64 Z22, Z28
	VMOVDQA64 Z26, Z22
	VMOVDQA64 Z23, Z29
	VMOVDQA64 Z27, Z23
	VMOVDQA64 Z30, Z24
	VMOVDQA64 Z31, Z25
	DOWN(Z6, Z7, Z8, Z9, Z10, Z11, Z2, Z3, Z4, Z5, Z0, Z1, Z27, Z30)
	DOWN(Z7, Z6, Z9, Z8, Z11, Z10, Z3, Z2, Z5, Z4, Z3, Z5, Z11, Z31)
	VPTESTMD Z28, Z30, K1
	VPTESTMD Z29, Z31, K2
	KORTESTW K1, K2
	JNZ  many
	VPANDD Z28, Z0, Z0
	VPANDD Z28, Z1, Z1
	VPANDD Z28, Z27, Z27
	VPANDD Z29, Z3, Z3
	VPANDD Z29, Z5, Z5
	VPANDD Z29, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	VPXORD Z16, Z16, Z16
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19
	FOCUS(0x10)
	FOCUS(0x04)
	FOCUS(0x40)
	VPORD Z22, Z25, Z2
	VPORD Z27, Z11, Z4
	VPORD Z2, Z4, Z2
	VPTESTMD Z2, Z2, K1
	KORTESTW K1, K1
	JZ   out
	FOCUS(0x02)
	FOCUS(0x20)
	FOCUS(0x08)
	FOCUS(0x80)
out:
	VPOPCNTQ Z16, Z0
	VPOPCNTQ Z17, Z1
	VPOPCNTQ Z18, Z2
	VPOPCNTQ Z19, Z3
	VPADDQ Z0, Z1, Z0
	VPADDQ Z2, Z3, Z2
	VPSLLQ $32, Z2, Z2
	VPORQ Z0, Z2, Z0
	REDUCE(Z0, Y0, Z1, Y1, X1, X2, DX)
	TESTQ DX, DX
	JZ   done
	MOVQ all+16(FP), CX
	MOVQ dead+24(FP), SI
	VMOVDQA64 Z16, Z0
	VMOVDQA64 Z17, Z1
	VMOVDQA64 Z18, Z2
	VMOVDQA64 Z19, Z3
#define STRIKE(y0, y2, at) \
	VPMOVZXDQ y0, Z4 \
	VPMOVZXDQ y2, Z5 \
	VPORQ Z4, Z5, Z6 \
	VPANDNQ at(AX), Z4, Z4 \
	VPANDNQ at(BX), Z5, Z5 \
	VPANDNQ at(CX), Z6, Z7 \
	VMOVDQU64 Z4, at(AX) \
	VMOVDQU64 Z5, at(BX) \
	VMOVDQU64 Z7, at(CX) \
	VMOVDQU64 Z6, at(SI)
	STRIKE(Y0, Y2, 0)
	STRIKE(Y1, Y3, 128)
	VEXTRACTI64X4 $1, Z0, Y0
	VEXTRACTI64X4 $1, Z1, Y1
	VEXTRACTI64X4 $1, Z2, Y2
	VEXTRACTI64X4 $1, Z3, Y3
	STRIKE(Y0, Y2, 64)
	STRIKE(Y1, Y3, 192)
done:
	MOVQ DX, died+32(FP)
	MOVB $1, ok+40(FP)
	VZEROUPPER
	RET
many:
	MOVQ $0, died+32(FP)
	MOVB $0, ok+40(FP)
	VZEROUPPER
	RET

// func tileRows(out, plane unsafe.Pointer)
TEXT ·tileRows(SB), NOSPLIT, $0-16
	MOVQ out+0(FP), AX
	MOVQ plane+8(FP), BX
	VMOVDQU64 tileEven<>(SB), Z2
	LOAD(BX, Z2, Z0, Z1)
	VMOVDQU64 Z0, (AX)
	VMOVDQU64 Z1, 64(AX)
	VZEROUPPER
	RET

#define ARRIVE(y, once, twice) \
	ORAND(once, y, twice) \
	VPORD y, once, once

// One seat's moves: from its ants at mine and the bits of their orders at code
// to where they arrive. Z0 to Z9 are the cells whose row above and below, east
// and west refuse, Z10 to Z13 the cells reached once and twice.
#define MARCH(mine, code, a, b) \
	LOAD(mine, Z31, Z14, Z15) \
	VMOVDQU64 (code), Z16 \
	VMOVDQU64 64(code), Z17 \
	VMOVDQU64 256(code), Z18 \
	VMOVDQU64 320(code), Z19 \
	VMOVDQU64 512(code), Z20 \
	VMOVDQU64 576(code), Z21 \
	OR3(Z16, Z18, Z20) \
	OR3(Z17, Z19, Z21) \
	VMOVDQA64 Z14, Z22 \
	VMOVDQA64 Z15, Z23 \
	VPTERNLOGD $0x10, Z2, Z20, Z22 \
	VPTERNLOGD $0x10, Z3, Z21, Z23 \
	VMOVDQA64 Z18, Z24 \
	VMOVDQA64 Z19, Z25 \
	VPTERNLOGD $0x10, Z4, Z16, Z24 \
	VPTERNLOGD $0x10, Z5, Z17, Z25 \
	VMOVDQA64 Z16, Z20 \
	VMOVDQA64 Z17, Z21 \
	VPTERNLOGD $0x10, Z6, Z18, Z20 \
	VPTERNLOGD $0x10, Z7, Z19, Z21 \
	VPTERNLOGD $0x40, Z8, Z18, Z16 \
	VPTERNLOGD $0x40, Z9, Z19, Z17 \
	VMOVDQA64 Z22, Z18 \
	VMOVDQA64 Z23, Z19 \
	OR3(Z24, Z20, Z18) \
	OR3(Z25, Z21, Z19) \
	VPTERNLOGD $0x10, Z16, Z18, Z14 \
	VPTERNLOGD $0x10, Z17, Z19, Z15 \
	BELOW(1, Z22, Z23, Z18) \
	BELOW(1, Z23, Z22, Z19) \
	ABOVE(1, Z24, Z25, Z22) \
	ABOVE(1, Z25, Z24, Z23) \
	VPROLD $1, Z20, Z20 \
	VPROLD $1, Z21, Z21 \
	VPRORD $1, Z16, Z16 \
	VPRORD $1, Z17, Z17 \
	ARRIVE(Z14, Z10, Z12) \
	ARRIVE(Z15, Z11, Z13) \
	ARRIVE(Z16, Z10, Z12) \
	ARRIVE(Z17, Z11, Z13) \
	ARRIVE(Z20, Z10, Z12) \
	ARRIVE(Z21, Z11, Z13) \
	ARRIVE(Z18, Z10, Z12) \
	ARRIVE(Z19, Z11, Z13) \
	ARRIVE(Z22, Z10, Z12) \
	ARRIVE(Z23, Z11, Z13) \
	OR3(Z16, Z20, Z14) \
	OR3(Z17, Z21, Z15) \
	VMOVDQA64 Z18, a \
	VMOVDQA64 Z19, b \
	OR3(Z14, Z22, a) \
	OR3(Z15, Z23, b)

// To rows of 64 bits. It takes Y14 and Z15 to Z18.
#define STORE(xa, ya, xb, yb, to) \
	VEXTRACTI64X4 $1, xa, Y14 \
	VEXTRACTI64X4 $1, xb, Y18 \
	VPMOVZXDQ ya, Z15 \
	VPMOVZXDQ Y14, Z16 \
	VPMOVZXDQ yb, Z17 \
	VPMOVZXDQ Y18, Z18 \
	VMOVDQU64 Z15, (to) \
	VMOVDQU64 Z16, 64(to) \
	VMOVDQU64 Z17, 128(to) \
	VMOVDQU64 Z18, 192(to)

// func tileMove(water, food, mine0, mine1, code0, code1, all, twice unsafe.Pointer) (left uint64, clash bool)
TEXT ·tileMove(SB), NOSPLIT, $0-73
	MOVQ water+0(FP), AX
	MOVQ food+8(FP), BX
	MOVQ mine0+16(FP), CX
	MOVQ mine1+24(FP), DX
	MOVQ code0+32(FP), SI
	MOVQ code1+40(FP), DI
	MOVQ all+48(FP), R8
	MOVQ twice+56(FP), R9
	VMOVDQU64 tileEven<>(SB), Z31
	VMOVDQU64 (AX), Z0
	VMOVDQU64 64(AX), Z2
	VMOVDQU64 128(AX), Z1
	VMOVDQU64 192(AX), Z3
	VPORQ (BX), Z0, Z0
	VPORQ 64(BX), Z2, Z2
	VPORQ 128(BX), Z1, Z1
	VPORQ 192(BX), Z3, Z3
	VPERMT2D Z2, Z31, Z0
	VPERMT2D Z3, Z31, Z1
	ABOVE(1, Z0, Z1, Z2)
	ABOVE(1, Z1, Z0, Z3)
	BELOW(1, Z0, Z1, Z4)
	BELOW(1, Z1, Z0, Z5)
	VPRORD $1, Z0, Z6
	VPRORD $1, Z1, Z7
	VPROLD $1, Z0, Z8
	VPROLD $1, Z1, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	MARCH(CX, SI, Z26, Z27)
	MARCH(DX, DI, Z28, Z29)
	VPANDND Z10, Z12, Z0
	VPANDND Z11, Z13, Z1
	VPANDND Z26, Z12, Z2
	VPANDND Z27, Z13, Z3
	VPANDND Z28, Z12, Z4
	VPANDND Z29, Z13, Z5
	STORE(Z0, Y0, Z1, Y1, R8)
	STORE(Z2, Y2, Z3, Y3, CX)
	STORE(Z4, Y4, Z5, Y5, DX)
	XORQ AX, AX
	VPTESTMD Z12, Z12, K1
	VPTESTMD Z13, Z13, K2
	KORTESTW K1, K2
	JZ   apart
	VPOPCNTQ Z2, Z2
	VPOPCNTQ Z3, Z3
	VPOPCNTQ Z4, Z4
	VPOPCNTQ Z5, Z5
	VPADDQ Z2, Z3, Z2
	VPADDQ Z4, Z5, Z4
	VPSLLQ $32, Z4, Z4
	VPORQ Z2, Z4, Z0
	REDUCE(Z0, Y0, Z1, Y1, X1, X2, AX)
	STORE(Z12, Y12, Z13, Y13, R9)
	MOVB $1, clash+72(FP)
	MOVQ AX, left+64(FP)
	VZEROUPPER
	RET
apart:
	MOVB $0, clash+72(FP)
	MOVQ AX, left+64(FP)
	VZEROUPPER
	RET

// func tileReport(mine, water, known, food, seen, rows, cells, mask, tables unsafe.Pointer, count int) (end unsafe.Pointer)
TEXT ·tileReport(SB), NOSPLIT, $0-88
	MOVQ mine+0(FP), AX
	MOVQ water+8(FP), BX
	MOVQ known+16(FP), CX
	MOVQ food+24(FP), DX
	MOVQ seen+32(FP), SI
	MOVQ rows+40(FP), DI
	MOVQ cells+48(FP), R8
	MOVQ tables+64(FP), R9
	VMOVDQU64 tileEven<>(SB), Z31
	LOAD(AX, Z31, Z0, Z1)
	VMOVDQU64 Z0, (DI)
	VMOVDQU64 Z1, 64(DI)
	// What refuses a move, Z30 and Z29.
	VMOVDQU64 (BX), Z2
	VMOVDQU64 64(BX), Z3
	VMOVDQU64 128(BX), Z4
	VMOVDQU64 192(BX), Z5
	VPANDQ (CX), Z2, Z2
	VPANDQ 64(CX), Z3, Z3
	VPANDQ 128(CX), Z4, Z4
	VPANDQ 192(CX), Z5, Z5
	VMOVDQU64 (DX), Z6
	VMOVDQU64 64(DX), Z7
	VMOVDQU64 128(DX), Z8
	VMOVDQU64 192(DX), Z9
	VPTERNLOGQ $0xF8, (SI), Z6, Z2
	VPTERNLOGQ $0xF8, 64(SI), Z7, Z3
	VPTERNLOGQ $0xF8, 128(SI), Z8, Z4
	VPTERNLOGQ $0xF8, 192(SI), Z9, Z5
	VPERMT2D Z3, Z31, Z2
	VPERMT2D Z5, Z31, Z4
	VMOVDQA64 Z2, Z30
	VMOVDQA64 Z4, Z29
	// The cells, two rows at a time.
	VMOVDQU64 (R9), Z0
	VPXORD Z1, Z1, Z1
	MOVL $64, AX
	VPBROADCASTD AX, Z2
	LEAQ 128(DI), R10
cells:
	KMOVQ (DI), K1
	POPCNTQ (DI), BX
	VPCOMPRESSB.Z Z0, K1, Z3
	VPMOVZXBD X3, Z4
	VPADDD Z1, Z4, Z4
	VMOVDQU32 Z4, (R8)
	CMPQ BX, $16
	JHI  crowd
next:
	VPADDD Z2, Z1, Z1
	LEAQ (R8)(BX*4), R8
	ADDQ $8, DI
	CMPQ DI, R10
	JLT  cells
	MOVQ R8, end+80(FP)
	// The refusals, sixteen ants at a time, as five bytes each.
	MOVQ cells+48(FP), R8
	MOVQ mask+56(FP), DI
	MOVQ count+72(FP), CX
	MOVL $1, AX
	VPBROADCASTD AX, Z20
	VPBROADCASTB AX, Z21
	MOVL $2, AX
	VPBROADCASTD AX, Z22
	MOVL $4, AX
	VPBROADCASTD AX, Z23
	MOVL $8, AX
	VPBROADCASTD AX, Z24
	VMOVDQU64 64(R9), Z25
	VMOVDQU64 128(R9), Z26
	VMOVDQU64 192(R9), Z27
	VMOVDQU64 256(R9), Z28
masks:
	VMOVDQU32 (R8), Z0
	VPSRLD $5, Z0, Z1
	VPSUBD Z20, Z1, Z2
	VPADDD Z20, Z1, Z3
	VPERMI2D Z29, Z30, Z1
	VPERMI2D Z29, Z30, Z2
	VPERMI2D Z29, Z30, Z3
	VPRORVD Z0, Z1, Z1
	VPRORVD Z0, Z2, Z2
	VPRORVD Z0, Z3, Z3
	VPROLD $2, Z3, Z3
	VPTERNLOGD $0xD8, Z22, Z1, Z2
	VPTERNLOGD $0xD8, Z23, Z3, Z2
	VPROLD $4, Z1, Z1
	VPTERNLOGD $0xD8, Z24, Z1, Z2
	VPMOVDB Z2, X2
	VPERMB Z2, Z25, Z3
	VPTESTNMB Z3, Z27, K1
	VMOVDQU8.Z Z21, K1, Z3
	VMOVDQU64 Z3, (DI)
	CMPQ CX, $12
	JLE  done
	VPERMB Z2, Z26, Z3
	VPTESTNMB Z3, Z28, K1
	VMOVDQU8.Z Z21, K1, Z3
	VMOVDQU64 X3, 64(DI)
	ADDQ $64, R8
	ADDQ $80, DI
	SUBQ $16, CX
	JGT  masks
done:
	VZEROUPPER
	RET
crowd:
	VEXTRACTI32X4 $1, Z3, X4
	VPMOVZXBD X4, Z4
	VPADDD Z1, Z4, Z4
	VMOVDQU32 Z4, 64(R8)
	CMPQ BX, $32
	JLS  next
	VEXTRACTI32X4 $2, Z3, X4
	VPMOVZXBD X4, Z4
	VPADDD Z1, Z4, Z4
	VMOVDQU32 Z4, 128(R8)
	CMPQ BX, $48
	JLS  next
	VEXTRACTI32X4 $3, Z3, X4
	VPMOVZXBD X4, Z4
	VPADDD Z1, Z4, Z4
	VMOVDQU32 Z4, 192(R8)
	JMP  next
