/** Definitions in each language, and how the index lists them. */
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../root.ts';

export const shipped = openShipped(root);

export const symbols = openSymbols(shipped);

export const forms: readonly (readonly [name: string, text: string, expected: string])[] = [
  [
    'a.py',
    `
if TYPE_CHECKING:
    def a(): ...
elif b:
    def b(): pass
else:
    class C:
        def d(self): pass
        if e:
            def f(self): pass
        else:
            def g(self): pass
try:
    import h
except ImportError:
    def i(): pass
except* ValueError:
    def j(): pass
else:
    k = 1
finally:
    def l(): pass
with m:
    def n(): pass
for o in p:
    def q(): pass
else:
    def r(): pass
while s:
    class T: pass
match u:
    case 1:
        def v(): pass
type W = int
type X[Y] = list[Y]
`,
    'F a, F b, C C, M C.d, M C.f, M C.g, F i, F j, V k, F l, F n, F q, F r, C T, F v, T W, T X',
  ],
  [
    'a.ts',
    `
interface A<T> { b(c: string): void; readonly d?: T; 'e-f': 1; get g(): string; [h: string]: unknown; (): void }
enum I { J, K = 2, 'l' = 3 }
declare const enum M { N }
class O { p(q: string): void; p(q: unknown) {} abstract r(): void; s = () => 1; t = 2 }
namespace U { export interface V { w: 1 } const x = 1 }
declare global { interface Y { z(): void } }
declare module 'aa' { function bb(): void; }
type CC = { dd(): void };
`,
    'I A, M A.b, V A.d, M A.g, E I, V I.J, V I.K, E M, V M.N, C O, M O.p, M O.p, M O.r, M O.s, N U, I U.V, V V.w, I Y, M Y.z, F bb, T CC',
  ],
  [
    'a.rs',
    `
trait A { type B: C; const D: u8 = 1; fn e(&self); fn f() {} }
impl A for G { type B = H; const D: u8 = 2; fn e(&self) {} }
enum I { J, K(u8), L { m: u8 } }
struct N { o: u8 }
extern "C" { fn p(); static Q: u8; }
mod r { pub fn s() {} const T: u8 = 3; }
union U { v: u8 }
`,
    'I A, T A.B, V A.D, M A.e, M A.f, C G, T G.B, V G.D, M G.e, E I, V I.J, V I.K, V I.L, C N, F p, V Q, N r, M r.s, V r.T, C U',
  ],
  [
    'a.go',
    `package a

type B interface { C(d int) string; E; F[int]; ~int | ~string }
type (
	G struct { h int }
	I = G
	J interface {
		K()
	}
)
const ( L = iota; M )
func (n *G) O() {}
`,
    'I B, M B.C, T G, T I, I J, M J.K, V L, V M, M G.O',
  ],
  [
    'a.java',
    `
interface A { int B = 1; void c(); default void d() {} static void e() {} }
enum F { G, H(1) { void i() {} }; void j() {} }
@interface K { String l() default ""; int M = 1; }
record N(int o) { N { } static void p() {} }
class Q { int r; static { } class S { } sealed interface T permits U {} }
`,
    'I A, V A.B, M A.c, M A.d, M A.e, E F, V F.G, V F.H, M F.j, I K, M K.l, V K.M, C N, M N.N, M N.p, C Q, C Q.S, I Q.T',
  ],
  [
    'a.cs',
    `
namespace A;
interface B { void C(); int D { get; } event E F; }
enum G { H, I = 2 }
record struct J(int K) { public void L() {} }
class M { event N O; class P {} delegate void Q(); int R => 1; int s; }
`,
    'N A, I B, M B.C, M B.D, V B.F, E G, V G.H, V G.I, C J, M J.L, C M, V M.O, C M.P, T M.Q, M M.R',
  ],
  [
    'a.kt',
    `
interface A { fun b(); val c: Int }
enum class D {
  E,
  F { override fun g() {} };
  fun h() {}
}
object I { const val j = 1; fun k() {} }
class L {
  companion object { fun m() {} }
}
`,
    'C A, M A.b, C D, V D.E, V D.F, M D.h, C I, M I.k, C L, M L.m',
  ],
  [
    'a.swift',
    `
protocol A { associatedtype B; var c: Int { get }; func d(); init(e: Int) }
enum F { case g; case h(Int), i; func j() {} }
extension K { func l() {} }
actor M { func n() {} }
`,
    'I A, T A.B, V A.c, M A.d, M A.init, C F, V F.g, V F.h, V F.i, M F.j, C K, M K.l, C M, M M.n',
  ],
  [
    'a.php',
    `<?php
interface A { const B = 1; public function c(); }
enum D: string { case E = 'e'; case F = 'f'; const G = self::E; public function h() {} }
trait I { public $j; public function k() {} }
if (!function_exists('l')) { function l() {} } else { function m() {} }
const N = 1;
`,
    'I A, V A.B, M A.c, E D, V D.E, V D.F, V D.G, M D.h, C I, M I.k, F l, F m, V N',
  ],
  [
    'a.rb',
    `
module A
  B = 1
  class << self
    def c; end
  end
  class D < Struct.new(:e)
    def self.f; end
  end
end
if g
  def h; end
else
  def i; end
end
begin
  def j; end
rescue
  def k; end
end
`,
    'N A, V A.B, M A.c, C A.D, M D.f, M h, M i, M j, M k',
  ],
  [
    'a.c',
    `
enum A { B, C = 2 };
enum { D, E };
typedef enum { F, G } h_t;
typedef struct { int i; } j_t;
#ifdef K
int l(void) { return 1; }
#else
static int l;
#endif
`,
    'E A, V A.B, V A.C, V D, V E, E h_t, V h_t.F, V h_t.G, T j_t, F l, V l',
  ],
  [
    'a.cpp',
    `
enum class A : int { B, C };
class D { enum E { F }; void g(); class H { void i() {} }; };
namespace j::k { template <class L> struct M { void n() {} }; }
extern "C" { void o(); }
concept_p;
`,
    'E A, V A.B, V A.C, C D, E D.E, V E.F, M D.g, C D.H, M H.i, N j::k, C j::k.M, M M.n, F o',
  ],
  [
    'a.js',
    'a.b = function () {};\nC.D = class {};\ne = f.g = () => {};\nclass H { i = () => {}; j = class {} }\nk = () => {};\n',
    'M a.b, C C.D, M f.g, C H, M H.i, C H.j, F k',
  ],
  [
    'a.sh',
    'if a; then\n  b() { :; }\nelse\n  c() { :; }\nfi\nfunction d { :; }\n',
    'F b, F c, F d',
  ],
];
