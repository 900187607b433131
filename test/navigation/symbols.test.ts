import { describe, expect, it } from 'vitest';
import { renderSymbol } from '../../src/navigation/listing.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';

const symbols = openSymbols(openShipped(root));
const of = async (path: string, text: string) =>
  (await symbols.listSymbols(path, text)).map(renderSymbol);

describe('symbols by a real parser', () => {
  it.each<[string, string, string[]]>([
    [
      'a.js',
      'export function a() {\n  return 1;\n}\nconst b = () => 2;\nclass C {\n  m() {}\n  static async *g() {}\n}\nconst X = 1;\n',
      ['F:a:L1-3', 'F:b:L4', 'C:C:L5-8', 'M:C.m:L6', 'M:C.g:L7', 'V:X:L9'],
    ],
    [
      'a.ts',
      'export interface I { a: string }\ntype T = I;\nenum E { A }\nexport abstract class C<T> {\n  private x = 1;\n  handler = () => 1;\n  abstract f(): void;\n}\nnamespace N {\n  export function f(): void {}\n}\ndeclare function d(): void;\n',
      [
        'I:I:L1',
        'V:I.a:L1',
        'T:T:L2',
        'E:E:L3',
        'V:E.A:L3',
        'C:C:L4-8',
        'M:C.handler:L6',
        'M:C.f:L7',
        'N:N:L9-11',
        'M:N.f:L10',
        'F:d:L12',
      ],
    ],
    [
      'a.c',
      '#ifdef A\nint f(int x) { return g(x); }\n#endif\nstatic char *h(void) {}\nstruct S { int a; };\ntypedef struct { int b; } T;\nenum E { X };\nint z = 1;\nint proto(int);\n#define M 1\nstruct S *mk(void) { return 0; }\n',
      [
        'F:f:L2',
        'F:h:L4',
        'C:S:L5',
        'T:T:L6',
        'E:E:L7',
        'V:E.X:L7',
        'V:z:L8',
        'F:proto:L9',
        'V:M:L10',
        'F:mk:L11',
      ],
    ],
    [
      'a.cpp',
      'namespace n {\nclass A : B {\npublic:\n  A();\n  int f(int x) const { return g(x); }\n  static int w();\n  int v;\n};\n}\nint n::A::k() {}\ntemplate <class T> T h(T x) { return x; }\nenum class E { X };\nusing Q = int;\n',
      [
        'N:n:L1-9',
        'C:n.A:L2-8',
        'M:A.A:L4',
        'M:A.f:L5',
        'M:A.w:L6',
        'M:A.k:L10',
        'F:h:L11',
        'E:E:L12',
        'V:E.X:L12',
        'T:Q:L13',
      ],
    ],
    [
      'a.kt',
      'package a\n\nclass A(val q: Int) {\n    fun f(x: Int): Int {\n        return g(x)\n    }\n}\n\nfun h() {\n}\n\nfun String.ext(): Int = 1\n\nobject O {\n    val x = 1\n}\n\nval z = 1\n\ntypealias T = Int\n',
      ['C:A:L3-7', 'M:A.f:L4-6', 'F:h:L9-10', 'F:ext:L12', 'C:O:L14-16', 'V:z:L18', 'T:T:L20'],
    ],
    [
      'a.swift',
      'class A {\n  func f(x: Int) -> Int { return g(x) }\n  init() {}\n}\nfunc h() {}\nprotocol P { func q() }\nextension A { func more() {} }\nlet z = 1\nenum E { case a }\ntypealias T = Int\n',
      [
        'C:A:L1-4',
        'M:A.f:L2',
        'M:A.init:L3',
        'F:h:L5',
        'I:P:L6',
        'M:P.q:L6',
        'C:A:L7',
        'M:A.more:L7',
        'V:z:L8',
        'C:E:L9',
        'V:E.a:L9',
        'T:T:L10',
      ],
    ],
    ['a.tsx', 'export default function App() {\n  return <b>{1}</b>;\n}\n', ['F:App:L1-3']],
    [
      'a.py',
      'import x\n\n@deco\ndef f(a):\n    return a\n\nclass C(B):\n    y = 1\n    class D:\n        async def m(self):\n            pass\nLIMIT = 3\n',
      ['F:f:L3-5', 'C:C:L7-11', 'C:C.D:L9-11', 'M:D.m:L10-11', 'V:LIMIT:L12'],
    ],
    [
      'a.go',
      'package main\n\ntype T struct{ a int }\n\nfunc main() {\n}\n\nfunc (t *T) Do() {}\n\nconst A = 1\n',
      ['T:T:L3', 'F:main:L5-6', 'M:T.Do:L8', 'V:A:L10'],
    ],
    [
      'A.java',
      'package a;\npublic class A {\n  A() {}\n  int f(int x) { return x; }\n  interface I { void g(); }\n}\n',
      ['C:A:L2-6', 'M:A.A:L3', 'M:A.f:L4', 'I:A.I:L5', 'M:I.g:L5'],
    ],
    [
      'a.php',
      '<?php\nfunction f() {}\nclass C {\n  public function m() {}\n}\n',
      ['F:f:L2', 'C:C:L3-5', 'M:C.m:L4'],
    ],
    ['a.sh', 'f() {\n  echo\n}\n', ['F:f:L1-3']],
    // a method outside of its class belongs to it; one declaration may have several names
    [
      'b.cpp',
      'int a, *b;\nA<T>& A<T>::f() { return *this; }\nint& g();\nvoid m::C::h() {}\nstruct Later;\n',
      ['V:a:L1', 'V:b:L1', 'M:A.f:L2', 'F:g:L3', 'M:C.h:L4'],
    ],
    [
      'b.c',
      'char **f(void);\nint (*g)(int);\nint a = 1, b[2];\n',
      ['F:f:L1', 'F:g:L2', 'V:a:L3', 'V:b:L3'],
    ],
    [
      'b.go',
      'package a\n\nfunc (t List[K]) Do() {}\n\nvar a, b = 1, 2\n',
      ['M:List.Do:L3', 'V:a:L5', 'V:b:L5'],
    ],
    [
      'b.py',
      '@a\n@b\nclass C:\n    @property\n    def p(self):\n        x = 1\n\ntry:\n    y = 1\nexcept E:\n    pass\n',
      ['C:C:L1-6', 'M:C.p:L4-6', 'V:y:L9'],
    ],
    [
      'b.js',
      'const a = 1, b = () => 2;\nrun(() => { function local() {} });\nif (a) { function inner() {} }\nfunction f() { function g() {} }\nclass D { x = () => 1; y = 2; }\n',
      ['V:a:L1', 'F:b:L1', 'F:f:L4', 'C:D:L5', 'M:D.x:L5'],
    ],
    ['a.unknown', 'x', []],
    ['a.js', 'x'.repeat(30_000), []],
    [
      'c.js',
      'app.use = function use() {\n};\nexports.x = () => 1;\nA.prototype.m = function () {};\nlate = function () {};\napp.y = 2;\nfunction f() { app.z = () => 3; }\nreq.get = req.header = function header() {};\n',
      [
        'M:app.use:L1-2',
        'M:exports.x:L3',
        'M:A.m:L4',
        'F:late:L5',
        'F:f:L7',
        'M:req.get:L8',
        'M:req.header:L8',
      ],
    ],
    // the text of a header decides its language
    [
      'cpp.h',
      '#pragma once\nnamespace n {\nclass A {\npublic:\n  int f();\n};\n}\n',
      ['N:n:L2-7', 'C:n.A:L3-6', 'M:A.f:L5'],
    ],
    [
      'template.h',
      'template <typename T>\nstruct S {\n  T get();\n};\n',
      ['C:S:L2-4', 'M:S.get:L3'],
    ],
    ['derived.h', 'struct B : A {\n  void f();\n};\n', ['C:B:L1-3', 'M:B.f:L2']],
    [
      'both.h',
      '/* a class of\n   class values */\n#ifdef __cplusplus\nextern "C" {\n#endif\nstruct class { int template; };\nint new(struct class *this);\n#ifdef __cplusplus\n}\n#endif\n',
      ['C:class:L6', 'F:new:L7'],
    ],
  ])('%s %#', async (path, text, expected) => expect(await of(path, text)).toEqual(expected));

  it('reports syntax errors, and none in a correct text', async () => {
    expect(await symbols.syntaxErrors('a.py', 'def f(:\n  pass\n')).not.toEqual([]);
    expect(await symbols.syntaxErrors('a.js', 'const a = 1;\n')).toEqual([]);
    expect(await symbols.syntaxErrors('a.txt', '(((')).toBe('unknown-language');
  });

  it('frees its trees: memory does not grow over hundreds of parses', async () => {
    const text = (i: number) => `function f${i}() {\n${'  call(1, 2, 3);\n'.repeat(100)}}\n`;
    for (let i = 0; i < 100; i++) await symbols.listSymbols('a.js', text(i));
    const before = process.memoryUsage().external;
    for (let i = 100; i < 300; i++) await symbols.listSymbols('a.js', text(i));
    expect(process.memoryUsage().external - before).toBeLessThan(12 * 1024 * 1024);
  });
});

it('says why a text is not parsed', async () => {
  expect(symbols.notParsed('a.ts', 'x'.repeat(20_001))).toContain('not parsed');
  expect(symbols.notParsed('a.txt', 'x'.repeat(20_001))).toBe(undefined);
  expect(await symbols.syntaxErrors('a.txt', 'x')).toBe('unknown-language');
  expect(await symbols.linesNaming('a.txt', 'x', 'x')).toBe(undefined);
});
