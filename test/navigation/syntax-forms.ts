/** Files in few lines, by the name that decides their language. Every one of `validForms` is accepted by its compiler. */
import type { Program } from '../programs.ts';

/** TypeScript; a blank line separates the files. */
const typescript = `
export type * from './types.js';

export type { A, B as C } from './types.js';

import data from './data.json' with { type: 'json' };

import defer * as late from './late.js';

import fs = require('node:fs');
export = fs;

export as namespace Library;
export {};

interface Box<out T> { readonly value: T }

type Producer<out T> = () => T;

class Holder<const T extends readonly unknown[]> { items!: T }

const literal = <const T,>(value: T): T => value;

interface Call {
  (a: string): void
  (a: number): void
  new (a: string): Call
  readonly [key: string]: unknown
}

type Many = import('x').T[];

type Accessors = { get a(): string; set a(value: string | number) };

type Maker = abstract new (...args: never[]) => object;

type First<T> = T extends [infer H extends string, ...infer R] ? [H, R] : never;

type Getters<T> = { [K in keyof T as \`get\${Capitalize<string & K>}\`]: () => T[K] };

type Named = [first: string, second?: number, ...rest: boolean[]];

type Guard = (value: unknown) => value is string;

declare const key: unique symbol;
type Keyed = { [key]: string };

const checked = { a: 1 } satisfies Record<string, number>;

const sure = maybe!.value!;

const early = new Map<string, Array<Set<number>>>();

const enum Flag { A = 1 << 0, B = 1 << 1, C = A | B }

declare module 'x' { export default function f(): void; }

declare global { interface Window { mine: string } }
export {};

namespace Merged { export const a = 1; }
namespace Merged { export const b = 2; }

declare function over(a: string): void;
declare function over(a: number): void;

function over(a: string): void;
function over(a: number): void;
function over(a: unknown): void {}

abstract class Shape { abstract readonly area: number; abstract grow(by: number): void; protected constructor(private readonly name: string, public size?: number) {} }

class Derived extends Base<string> implements One, Two<number> { override run(): void {} declare kept: string; static #count = 0; }

class Block { static { Block.ready = true; } static ready: boolean; }

@sealed
export class Decorated { @field() name = ''; @method({ a: 1 }) run(@inject('x') a: string) {} }

export default @sealed class {}

@(make().decorator) class Called {}

export default abstract class Named { abstract a(): void }

async function* stream<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, unknown> { yield* source; }

async function use() { await using a = open(); using b = open(); for await (const c of d) {} }

for (using item of items) {}

const typed = (a?: string, { b, c = 1 }: { b: string; c?: number } = { b: '' }, ...rest: string[]): a is string => true;

try { run(); } catch (error: unknown) { throw new Error('', { cause: error }); }

const pattern = /(?<year>\\d{4})-[\\p{L}--[a-z]]/v;

let y = a < b && c > (d);

type Conditional<T> = T extends (...args: any[]) => infer R ? R : T extends new () => infer I ? I : never;

type LeadingBar =
  | 'a'
  | 'b';

var type = 1, as = 2, satisfies = 3, of = 4, get = 5, set = 6, is = 7, out = 8, using = 9, accessor = 10, declare = 11;
type = as;

interface Keywords { type: string; get: string; set(): void; readonly: boolean; new: number; static?: string; async(): void; in: 1; out: 2 }

export declare const enum E { A = 'a' }

export default function <T>(this: void, value: T): T;
export default function <T>(this: void, value: T): T { return value; }

import.meta.url; new.target;

if (a) function inner() {}

// @ts-expect-error declared twice on purpose
let twice = 1; let twice = 2;

function f(a, b?, ...c) { return a! < b!, c as any as string }

let object = { async *[Symbol.asyncIterator]() {}, get a() { return 1 }, set a(value: number) {}, 'b'<T>(c: T) {}, 1: 2, __proto__: null };
`;

const javascript = `
#!/usr/bin/env node
console.log(1);

with (a) { b(); }

var octal = 010, text = '\\07';

return 1;

await import('x');

const a = await b, { c = 1, ...d } = e;

import defer * as late from './late.js';

import source wasm from './a.wasm';

<!-- an old comment
var a;

function f(a, a) { arguments.callee; delete x; }

const view = <div a={b} {...c}>text {d} <>e</></div>;

var let_ = 1, yield_ = 2; var async = 3, of = 4; async = of;

if (a) function f() {} else function g() {}
`;

const files = (text: string) => text.trim().split('\n\n');
const named = (name: string, text: string) => files(text).map(t => [name, `${t}\n`] as const);

/** Whole files that must not be refused. */
export const validForms: readonly (readonly [name: string, text: string])[] = [
  ...named('a.ts', typescript),
  ...named('a.js', javascript),
  ['a.tsx', 'const view = <T,>(p: P<T>) => <Box<T> key="a" {...p}>&nbsp;{p.a as string}</Box>;\n'],
  ['a.jsx', 'export const a = <a.b c-d="e" f:g={<></>} h={() => <i />}>{/* j */}{...k}</a.b>;\n'],
  ['a.mts', 'import type { A } from "x" with { "resolution-mode": "require" };\nexport {};\n'],
  ['a.cts', 'import a = require("x");\nexport = a;\n'],
  ['a.d.ts', 'export const a: string;\nexport default class A { b(): void; get c(): string }\n'],
  ['a.d.mts', 'declare const a: 1;\nexport { a as default };\nexport function f(): void\n'],
  ['a.json', '{"a": [1, -2.5e10, "\\u00e9", null, true]}'],
  ['tsconfig.json', '{\n  // comment\n  "a": "// no comment", /* more */\n  "b": [1, 2,],\n}\n'],
  ['a.jsonc', '/* a */ {"b": "/* c */, ]",} // d'],
];

/** Whole files that no compiler accepts. */
export const invalidForms: readonly (readonly [name: string, text: string])[] = [
  ...[
    'function (',
    'let x =',
    'if (a {',
    '}',
    'foo(',
    'a b',
    'class A { x y }',
    'x = {a: 1 b: 2}',
    "import {a b} from 'x'",
    'type A =',
    'enum E { a b }',
    'function f(a b) {}',
    'try {}',
    "'abc",
    '/* abc',
    'const {a} = = b',
    '-1 ** 2',
    'abc"',
    '<<<<<<< HEAD\nlet a = 1;\n=======\nlet a = 2;\n>>>>>>> main',
    'export * as from "a"',
    'async function f() { for await (x in y) {} }',
    '0b2',
    '"\\u{zz}"',
    'export type * as',
  ].map(text => ['a.ts', text] as const),
  ...[
    'let a; let a;',
    'const a;',
    'import a from',
    'interface A { a: string }',
    'let a: string;',
    'await = ;',
    'a ?? b || c',
    'function f() {',
    'x = <div>',
    'x = <a></b>;',
    'class A extends { }  }',
  ].map(text => ['a.js', text] as const),
  ['a.tsx', 'const a = <div>;'],
  ['a.d.ts', 'export const a: ;'],
  ['a.json', '{"a": 1 "b": 2}'],
  ['a.json', '{"a": [1, 2}'],
  ['a.json', '{a: 1}'],
  ['a.json', ''],
  ['package.json', '{"a": 1,}'],
  ['package.json', '{\n// comment\n}'],
  ['a.jsonc', '{"a": 1,,}'],
];

/** Files of languages whose program of the machine judges them. */
export const programForms: Readonly<
  Record<
    string,
    {
      /** The package that the tests need for it. */
      readonly needed: Program;
      readonly name: string;
      readonly valid: readonly string[];
      readonly invalid: readonly string[];
    }
  >
> = {
  python3: {
    needed: 'python3',
    name: 'a.py',
    valid: [
      'match a:\n    case {"b": [c, *_], **d} if c:\n        pass\n    case A(b=1) | None:\n        pass\n',
      'async def f(a, /, b=1, *, c: int, **d):\n    async with e as g, h:\n        return [i async for i in j if (k := i)]\n',
      'try:\n    a()\nexcept* ValueError as e:\n    raise X from e\nelse:\n    pass\nfinally:\n    pass\n',
      'with (open(a) as b, open(c) as d):\n    print(f"{b!r:>{d}} {{}}", file=c)\n',
      "# -*- coding: latin-1 -*-\na = 'é \\d'; b = 0o17 + 1_000 + 3j\n",
      '@a.b[c](d)\nclass E(F, metaclass=G): h: int = 1; lambda *i, j=1: ...\n',
    ],
    invalid: [
      'def f(:\n    pass\n',
      'def f():\npass\n',
      '  x = 1\n',
      'def f():\n    x = 1\n  y = 2\n',
      'if a:\n',
      'print "a"\n',
      'x = (1, 2\n',
    ],
  },
  gofmt: {
    needed: 'go',
    name: 'a.go',
    valid: [
      'package a\n\ntype N interface{ ~int | ~string }\n\nfunc Max[T N](a, b T) T { if a > b { return a }; return b }\n',
      'package a\n\nfunc f() { for i := range c { go func() { select { case <-d: default: } }() ; _ = i } }\n',
    ],
    invalid: [
      'package a\n\nfunc f( {\n',
      'package a\n\nfunc f() { if }\n',
      'package a\n\nvar x = \n',
      'package a\nfunc f() { } }\n',
    ],
  },
  ruby: {
    needed: 'ruby',
    name: 'a.rb',
    valid: [
      'def f(a, b: 1, **) = a&.g(b) { _1 }\n',
      'case a\nin {b: [Integer => c, *]} if c then 1\nend\n',
    ],
    invalid: ['def f(\nend\n', 'class A\n', 'x = [1, 2\n'],
  },
  php: {
    needed: 'php',
    name: 'a.php',
    valid: [
      '<?php enum A: string { case B = "b"; public static function c(int|string ...$d): ?static { return match (true) { default => null }; } }\n',
      '<p><?= $a ?? "b" ?></p>\n',
    ],
    invalid: ['<?php function f( {\n', '<?php $a = ;\n', '<?php class A {\n'],
  },
};
