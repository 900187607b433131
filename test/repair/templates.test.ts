/** Each template makes the repair that it is named for, in each language that it knows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { rankCandidates } from '../../src/repair/candidate-pool.ts';
import { candidatesOf } from '../../src/repair/candidates.ts';
import { applyTextEdits } from '../../src/repair/edit.ts';
import { plainForm } from '../../src/repair/plain-form.ts';
import { templates } from '../../src/repair/templates/index.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';

const symbols = openSymbols(openShipped(root));

/** What failing tests show: two compared values, and the texts of their files. */
const hints = {
  compared: [
    { actual: '{"one":1}', expected: '{"one": 1}' },
    { actual: '0', expected: '-0' },
  ],
  texts: ['__proto__', '-', 'unlike'],
};

/** Texts that the candidates of one template (or of all) lead to; every line is suspicious. */
async function textsOf(
  path: string,
  text: string,
  template?: string,
  earlier: readonly string[] = [],
): Promise<readonly string[]> {
  const lines = new Map(text.split('\n').map((_, i) => [i + 1, 1]));
  const made =
    (await symbols.withTree(path, text, tree =>
      candidatesOf({ path, text, lines, earlier, hints }, tree),
    )) ?? [];
  const ranked = rankCandidates(
    made.filter(c => template === undefined || c.template.id === template),
    new Map([[path, text]]),
  );
  return ranked.map(c => applyTextEdits(text, c.edits));
}

const js = (body: string) => `function f(list, n, other) {\n${body}\n}\n`;
const py = (body: string) => `def f(items, n, other):\n${body}\n`;

const repairs: readonly (readonly [template: string, path: string, from: string, to: string])[] = [
  ['comparison', 'a.js', js('  return n < other;'), js('  return n <= other;')],
  ['comparison', 'a.py', py('    return n in items'), py('    return n not in items')],
  [
    'comparison',
    'a.ts',
    'export const f = (n: number) => n > 1;\n',
    'export const f = (n: number) => n >= 1;\n',
  ],
  ['arithmetic', 'a.js', js('  n += 1;'), js('  n -= 1;')],
  ['arithmetic', 'a.py', py('    return n / other'), py('    return n // other')],
  ['off-by-one', 'a.js', js('  return list[n];'), js('  return list[n - 1];')],
  ['off-by-one', 'a.py', py('    return range(n)'), py('    return range(n + 1)')],
  ['off-by-one', 'a.py', py('    return items[n - 1]'), py('    return items[n]')],
  ['slice', 'a.py', py('    return items[1:]'), py('    return items[:]')],
  ['slice', 'a.js', js('  return list.slice(n);'), js('  return list.slice(0, n);')],
  ['connective', 'a.js', js('  return n && other;'), js('  return n || other;')],
  ['connective', 'a.py', py('    return n and other'), py('    return n or other')],
  ['negation', 'a.js', js('  if (list.has(n)) return 1;'), js('  if (!(list.has(n))) return 1;')],
  ['negation', 'a.py', py('    return not n'), py('    return n')],
  ['constant', 'a.js', js('  let best = 0;'), js('  let best = -Infinity;')],
  ['constant', 'a.py', py('    return n * 10'), py('    return n * 100')],
  ['variable', 'a.js', js('  return list[n];'), js('  return list[other];')],
  ['variable', 'a.py', py('    return items[n]'), py('    return items[other]')],
  ['arguments', 'a.js', js('  return f(n, list);'), js('  return f(list, n);')],
  ['arguments', 'a.js', js('  return list.sort();'), js('  return list.sort((a, b) => a - b);')],
  ['arguments', 'a.py', py('    return range(n)'), py('    return range(1, n)')],
  ['call-name', 'a.js', js('  return Math.min(n, other);'), js('  return Math.max(n, other);')],
  ['call-name', 'a.py', py('    return items.pop()'), py('    return items.popleft()')],
  ['wrap-call', 'a.js', js('  return n / 2;'), js('  return Math.floor(n / 2);')],
  ['wrap-call', 'a.py', py('    return items'), py('    return sorted(items)')],
  ['unwrap-call', 'a.py', py('    return int(n)'), py('    return n')],
  ['return-value', 'a.js', js('  return null;'), js('  return list;')],
  ['return-value', 'a.py', py('    n + 1'), py('    return n + 1')],
  [
    'await',
    'a.js',
    'async function f(g) {\n  return g();\n}\n',
    'async function f(g) {\n  return await g();\n}\n',
  ],
  ['condition', 'a.js', js('  if (n > 0 && other) return 1;'), js('  if (n > 0) return 1;')],
  [
    'condition',
    'a.py',
    py('    if n:\n        return items[n]'),
    py('    if n and n < len(items):\n        return items[n]'),
  ],
  [
    'guard',
    'a.js',
    js('  return list[0].name;'),
    js('  if (list.length === 0) return null;\n  return list[0].name;'),
  ],
  [
    'guard',
    'a.py',
    py('    return items[0]'),
    py('    if not items:\n        return None\n    return items[0]'),
  ],
  ['operand', 'a.js', js('  return n - other;'), js('  return other - n;')],
  ['operand', 'a.py', py('    return n + other / 2'), py('    return (n + other) / 2')],
  ['chain', 'a.js', js('  return n.trim().slice(1);'), js('  return n.slice(1).trim();')],
  ['element', 'a.py', py('    return [n]'), py('    return [n, other]')],
  ['assignment', 'a.js', js('  n = other;'), js('  n += other;')],
  ['assignment', 'a.py', py('    n = other'), py('    n = max(n, other)')],
  ['flow', 'a.js', js('  for (const x in list) n(x);'), js('  for (const x of list) n(x);')],
  ['flow', 'a.py', py('    if n:\n        n -= 1'), py('    while n:\n        n -= 1')],
  ['text', 'a.js', js("  return list.join(',');"), js("  return list.join('');")],
  ['text', 'a.js', js('  return n.replace(/a/, "");'), js('  return n.replace(/a/g, "");')],
  [
    'default-value',
    'a.py',
    'def f(seen=[]):\n    return seen\n',
    'def f(seen=None):\n    if seen is None:\n        seen = []\n    return seen\n',
  ],
  ['move', 'a.js', js('  n();\n  other();'), js('  other();\n  n();')],
  [
    'move',
    'a.py',
    py('    for n in items:\n        other = n\n        return other'),
    py('    for n in items:\n        other = n\n    return other'),
  ],
  [
    'insert',
    'a.js',
    js('  n();\n  list();\n  other();'),
    js('  n();\n  list();\n  n();\n  other();'),
  ],
  [
    'update',
    'a.py',
    py('    while n:\n        items.append(n)'),
    py('    while n:\n        items.append(n)\n        n -= 1'),
  ],
  [
    'missing-call',
    'a.js',
    js('  const found = [];\n  for (const one of list) {\n    n(one);\n  }\n  return found;'),
    js(
      '  const found = [];\n  for (const one of list) {\n    n(one);\n    found.push(one);\n  }\n  return found;',
    ),
  ],
  [
    'missing-call',
    'a.py',
    py('    seen = set()\n    for one in items:\n        n(one)\n    return seen'),
    py(
      '    seen = set()\n    for one in items:\n        n(one)\n        seen.add(one)\n    return seen',
    ),
  ],
  [
    'slice',
    'a.py',
    py('    for one in items:\n        n(one)'),
    py('    for one in items[n:]:\n        n(one)'),
  ],
  [
    'slice',
    'a.js',
    js('  return list.length > 1 ? f(list) : n;'),
    js('  return list.length > 1 ? f(list.slice(1)) : n;'),
  ],
  ['operand', 'a.py', py('    return items[n]'), py('    return items[n % len(items)]')],
  ['operand', 'a.js', js('  return f(list[0], n);'), js('  return f(list[0], n - other);')],
  ['wrap-call', 'a.py', py('    n = n - other'), py('    n = max(0, n - other)')],
  ['wrap-call', 'a.js', js('  n = n - other;'), js('  n = Math.min(1, n - other);')],
  ['negation', 'a.js', js('  if (n && other) n();'), js('  if (n && !other) n();')],
  ['constant', 'a.py', py('    return []'), py('    return [[]]')],
  [
    'update',
    'a.py',
    py('    for n in items:\n        if n:\n            other()'),
    py('    for n in items:\n        if n:\n            other()\n            break'),
  ],
  ['delete', 'a.js', js('  n();\n  other();'), js('  n();')],
];

const go = (body: string) => `package a\n\nfunc F(list []int, n, other int) int {\n${body}\n}\n`;

const more: readonly (readonly [template: string, path: string, from: string, to: string])[] = [
  [
    'comparison',
    'a.go',
    go('\tif n < other {\n\t\treturn 1\n\t}\n\treturn 0'),
    go('\tif n <= other {\n\t\treturn 1\n\t}\n\treturn 0'),
  ],
  ['variable', 'a.go', go('\tbest := list[n]\n\treturn n'), go('\tbest := list[n]\n\treturn best')],
  ['off-by-one', 'a.go', go('\treturn list[n]'), go('\treturn list[n - 1]')],
  ['arguments', 'a.go', go('\treturn F(list, other, n)'), go('\treturn F(list, n, other)')],
  ['null-check', 'a.js', js('  return n.name;'), js('  return n?.name;')],
  ['null-check', 'a.ts', 'const f = (n: N) => n.list[0];\n', 'const f = (n: N) => n.list?.[0];\n'],
  [
    'null-check',
    'a.js',
    js('  for (const x of n.all) f(x);'),
    js('  for (const x of (n.all ?? [])) f(x);'),
  ],
  ['null-check', 'a.js', js('  return n.size + 1;'), js('  return (n.size ?? 0) + 1;')],
  ['null-check', 'a.py', py('    return n[other]'), py('    return n.get(other, 0)')],
  [
    'null-check',
    'a.py',
    py('    for x in n:\n        f(x)'),
    py('    for x in (n or []):\n        f(x)'),
  ],
  [
    'default-value',
    'a.js',
    'function f(a, b) {\n  return a + b;\n}\n',
    'function f(a, b = 0) {\n  return a + b;\n}\n',
  ],
  ['default-value', 'a.py', 'def f(a, b):\n    return b\n', 'def f(a, b=None):\n    return b\n'],
  [
    'import',
    'a.py',
    'def f(n):\n    return math.floor(n)\n',
    'import math\ndef f(n):\n    return math.floor(n)\n',
  ],
  [
    'import',
    'a.js',
    "'use strict';\nexports.f = n => path.join(n);\n",
    "'use strict';\nconst path = require('node:path');\nexports.f = n => path.join(n);\n",
  ],
  [
    'await',
    'a.js',
    'async function f(g) {\n  for (const x of g()) h(x);\n}\n',
    'async function f(g) {\n  for await (const x of g()) h(x);\n}\n',
  ],
  [
    'await',
    'a.js',
    'function f(g) {\n  return g() + 1;\n}\n',
    'async function f(g) {\n  return await g() + 1;\n}\n',
  ],
  ['await', 'a.py', 'async def f(g):\n    return g()\n', 'async def f(g):\n    return await g()\n'],
  [
    'return-value',
    'a.js',
    js('  if (n) {\n    other(n);\n  }\n  return 0;'),
    js('  if (n) {\n    return other(n);\n  }\n  return 0;'),
  ],
  ['return-value', 'a.js', js('  return\n    n + 1;'), js('  return n + 1;')],
  [
    'return-value',
    'a.py',
    py('    if n:\n        other(n)\n    return 0'),
    py('    if n:\n        return other(n)\n    return 0'),
  ],
  [
    'update',
    'a.js',
    js('  switch (n) {\n    case 1:\n      other = 2;\n    case 2:\n      other = 3;\n  }'),
    js(
      '  switch (n) {\n    case 1:\n      other = 2;\n      break;\n    case 2:\n      other = 3;\n  }',
    ),
  ],
  ['text', 'a.js', js('  return /^[a-z]+$/.test(n);'), js('  return /^[A-Za-z]+$/.test(n);')],
  ['text', 'a.js', js('  return /^a|b$/.test(n);'), js('  return /^(?:a|b)$/.test(n);')],
  ['text', 'a.js', js('  return /a.b/.test(n);'), js('  return /a\\.b/.test(n);')],
  ['text', 'a.js', js('  return /<.*>/.exec(n);'), js('  return /<.*?>/.exec(n);')],
  ['text', 'a.js', js('  return /^\\d{3}$/.test(n);'), js('  return /^\\d{4}$/.test(n);')],
  [
    'text',
    'a.js',
    js("  return n.replace(/(a)(b)/, '$1');"),
    js("  return n.replace(/(a)(b)/, '$2');"),
  ],
  ['text', 'a.js', js(`  return \`\${n}-\${other}\`;`), js(`  return \`\${n}:\${other}\`;`)],
  ['text', 'a.py', py("    return re.match(r'\\d+', n)"), py("    return re.match(r'\\d+$', n)")],
  ['text', 'a.py', py("    return f'{n:.2f}'"), py("    return f'{n:.1f}'")],
  [
    'text',
    'a.py',
    py("    return '%02d:%02d' % (n, other)"),
    py("    return '%2d:%02d' % (n, other)"),
  ],
  [
    'text',
    'a.py',
    py("    return n.strftime('%Y-%M-%d')"),
    py("    return n.strftime('%Y-%m-%d')"),
  ],
  ['text', 'a.py', py("    return '{:<5}'.format(n)"), py("    return '{:>5}'.format(n)")],
  ['object-key', 'a.js', js('  return { ...n, ...other };'), js('  return { ...other, ...n };')],
  [
    'object-key',
    'a.js',
    js('  return { low: n, high: other };'),
    js('  return { low: other, high: n };'),
  ],
  [
    'object-key',
    'a.js',
    js('  n.size();\n  return { length: other };'),
    js('  n.size();\n  return { size: other };'),
  ],
  ['object-key', 'a.js', js('  return { n };'), js('  return { n, other };')],
  [
    'object-key',
    'a.py',
    'def g(a, size=1):\n    return a\ndef f(n):\n    return g(n, a=2)\n',
    'def g(a, size=1):\n    return a\ndef f(n):\n    return g(n, size=2)\n',
  ],
  [
    'arguments',
    'a.js',
    'const area = (width, height, depth) => 1;\nconst g = (depth, width, height) => area(depth, width, height);\n',
    'const area = (width, height, depth) => 1;\nconst g = (depth, width, height) => area(width, height, depth);\n',
  ],
  [
    'arguments',
    'a.py',
    'def g(a, key=None):\n    return a\ndef f(n, key):\n    return g(n)\n',
    'def g(a, key=None):\n    return a\ndef f(n, key):\n    return g(n, key=key)\n',
  ],
  [
    'arguments',
    'a.py',
    py('    return max(x for x in items)'),
    py('    return max((x for x in items), default=0)'),
  ],
  [
    'unwrap-call',
    'a.py',
    py('    return list(x for x in items)'),
    py('    return (x for x in items)'),
  ],
  [
    'wrap-call',
    'a.py',
    py('    return int(x for x in items)'),
    py('    return sum(int(x for x in items))'),
  ],
  ['off-by-one', 'a.js', js('  return (n + other) / 2;'), js('  return (n + other + 1) / 2;')],
  ['off-by-one', 'a.py', py('    return (n + other) // 2'), py('    return (n + other - 1) // 2')],
  [
    'wrap-call',
    'a.js',
    js('  return (n / other) * 2;'),
    js('  return (Math.floor(n / other)) * 2;'),
  ],
  ['operand', 'a.js', js('  return n || other && list;'), js('  return (n || other) && list;')],
  ['operand', 'a.js', js('  return n & 1 == 0;'), js('  return (n & 1) == 0;')],
  ['operand', 'a.js', js('  return !n in list;'), js('  return !(n in list);')],
  ['operand', 'a.py', py('    return not n and other'), py('    return not (n and other)')],
  [
    'operand',
    'a.js',
    js("  return 'a' + n ? 'b' : other;"),
    js("  return 'a' + (n ? 'b' : other);"),
  ],
  [
    'operand',
    'a.py',
    py("    return 'a' + n if other else ''"),
    py("    return 'a' + (n if other else '')"),
  ],
  ['operand', 'a.py', py('    return n * 2'), py('    return n * 2 % other')],
  ['arithmetic', 'a.js', js('  return n - 7;'), js('  return n % 7;')],
  ['arithmetic', 'a.py', py('    return n % 7'), py('    return n // 7')],
  [
    'variable',
    'a.js',
    js('  return list.filter(x => x > other);'),
    js('  return list.filter(x => x > n);'),
  ],
  [
    'condition',
    'a.js',
    js('  return list.filter(x => { if (x) return 1; });'),
    js('  return list.filter(x => { if (x && other) return 1; });'),
  ],
  [
    'return-value',
    'a.py',
    'def f(seen):\n    def g(n):\n        return n\n    return g\n',
    'def f(seen):\n    def g(n):\n        return seen\n    return g\n',
  ],
  ['element', 'a.py', py('    return items[n, other]'), py('    return items[other, n]')],
  ['element', 'a.py', py('    return n, other'), py('    return other, n')],
  ['element', 'a.js', js('  [n, other] = list;'), js('  [other, n] = list;')],
  [
    'donor',
    'a.js',
    js('  n = Math.max(list[0], 0, other);\n  return Math.min(list[0], 1, other);'),
    js('  n = Math.max(list[0], 0, other);\n  return Math.max(list[0], 0, other);'),
  ],
  [
    'donor',
    'a.py',
    py('    n = other.strip().lower()\n    return items.strip()'),
    py('    n = other.strip().lower()\n    return items.strip().lower()'),
  ],
  ['expected-text', 'a.js', js("  return n ? ':' : other;"), js("  return n ? ': ' : other;")],
  ['expected-text', 'a.py', py("    return '0' + n"), py("    return '-0' + n")],
  ['expected-text', 'a.js', js("  return n === '_proto_';"), js("  return n === '__proto__';")],
  ['expected-text', 'a.py', py("    return f':{n}'"), py("    return f': {n}'")],
  ['text', 'a.js', js('  return /^(\\d+|)$/.test(n);'), js('  return /^(\\d+|-)$/.test(n);')],
  [
    'text',
    'a.js',
    js('  if (/^--.+/.test(n)) return 1;\n  return /^-/.test(other);'),
    js('  if (/^--.+/.test(n)) return 1;\n  return /^--.+/.test(other);'),
  ],
  [
    'paired-call',
    'a.js',
    js('  list.push(n);\n  other();'),
    js('  list.push(n);\n  other();\n  list.pop();'),
  ],
  [
    'paired-call',
    'a.py',
    py('    items.add(n)\n    r = other(items)\n    return r'),
    py('    items.add(n)\n    r = other(items)\n    items.discard(n)\n    return r'),
  ],
  [
    'parallel',
    'a.js',
    js('  n.a = other.a;\n  n.b = other.b;\n  list.a = list.b + list.c;\n  return n;'),
    js(
      '  n.a = other.a;\n  n.b = other.b;\n  list.a = list.b + list.c;\n  n.c = other.c;\n  return n;',
    ),
  ],
  [
    'unused-name',
    'a.js',
    js('  return list.map(k => n[other[list]]);'),
    js('  return list.map(k => n[k]);'),
  ],
  ['unused-name', 'a.py', py('    return items[0] + other'), py('    return n + other')],
  ['shortcut', 'a.js', js('  n += 1;\n  return list[n];'), js('  n += 1;\n  return list[++n];')],
  ['shortcut', 'a.js', js('  return list[n++];'), js('  return list[++n];')],
  ['null-check', 'a.js', js('  return n == null;'), js('  return n === undefined;')],
  [
    'null-check',
    'a.js',
    js("  return n && typeof other.a === 'object';"),
    js("  return n && other.a != null && typeof other.a === 'object';"),
  ],
  ['off-by-one', 'a.js', js('  return n ? other : 0;'), js('  return n ? other + 1 : 0;')],
  ['return-value', 'a.py', py('    return items[n]'), py('    return (items[n],)')],
  [
    'condition',
    'a.js',
    js('  const ok = n > 1 // more\n    && (other === 2);'),
    js('  const ok = n > 1 // more\n    && (other === 2 || n);'),
  ],
  [
    'missing-call',
    'a.js',
    'function f(seen) {\n  return from => {\n    seen = seen.slice();\n    return seen;\n  };\n}\n',
    'function f(seen) {\n  return from => {\n    seen = seen.slice();\n    seen.push(from);\n    return seen;\n  };\n}\n',
  ],
  [
    'operand',
    'a.py',
    py('    return [n.body], n.orelse'),
    py('    return [n.body + n.orelse], n.orelse'),
  ],
];

describe('templates', () => {
  it.each([...repairs, ...more])('%s in %s', async (template, path, from, to) => {
    expect(await textsOf(path, from, template)).toContain(to);
  });

  it('each have a file named by its id, and cite a source', () => {
    const folder = join(root, 'src', 'repair', 'templates');
    const files = readdirSync(folder)
      .filter(f => f !== 'index.ts')
      .sort();
    expect(templates.map(t => `${t.id}.ts`).sort()).toEqual(files);
    for (const { source } of templates) expect(source).toMatch(/\d{4}|Pylint/);
    expect(new Set([...repairs, ...more].map(([t]) => t)).union(new Set(['revert']))).toEqual(
      new Set(templates.map(t => t.id)),
    );
  });

  it('are listed in the documentation', () => {
    const page = readFileSync(join(root, 'docs', 'builtin.md'), 'utf8');
    for (const { id, title, source } of templates)
      expect(page).toContain(`| \`${id}\` | ${title} | ${source} |`);
  });

  it('make the same candidates in the same order, without repetitions and without empty changes', async () => {
    const text = js(
      '  if (n < list.length && other) return list[n];\n  return Math.min(n, other) - 1;',
    );
    const once = await textsOf('a.js', text);
    expect(await textsOf('a.js', text)).toEqual(once);
    expect(new Set(once).size).toBe(once.length);
    expect(once).not.toContain(text);
    expect(once.length).toBeGreaterThan(100);
  });

  it.each([
    ['n * 1 + other', 'n + other'],
    ['f(0 + n)', 'f(n)'],
    ['range(n + 1 - 1, m)', 'range(n, m)'],
    ['len(items[1:])', 'len(items) - 1'],
    ['list.slice(1).length', 'list.length - 1'],
    ['n - -1', 'n + 1'],
    ['if (!(a.b === 1)) f();', 'if (a.b !== 1) f();'],
    ['not (a in b)', 'a not in b'],
    ['n * 10 + 0.5', 'n * 10 + 0.5'],
    ['!(a && b)', '!(a && b)'],
  ])('write %s as %s', (text, plain) => {
    expect(plainForm(text)).toBe(plain);
  });

  it('undo one hunk of a recent change, or all of one commit', async () => {
    const before = js('  n();\n  other();\n  const b = 2;\n  return b;');
    const one = before.replace('b = 2', 'b = 3');
    const both = one.replace('  n();\n', '');
    const texts = await textsOf('a.js', both, 'revert', [before]);
    expect(texts).toContain(before.replace('  n();\n', ''));
    expect(texts).toContain(one);
    expect(texts).toContain(before);
    expect(await textsOf('a.js', both, 'revert')).toEqual([]);
  });

  it('add no nothing, and multiply by no one', async () => {
    const added = await textsOf('a.py', py('    return n + 1'));
    expect(added).toContain(py('    return n'));
    expect(added).not.toContain(py('    return n + 0'));
    expect(await textsOf('a.py', py('    n += 1'))).not.toContain(py('    n += 0'));
    expect(await textsOf('a.js', js('  return n * 2;'))).not.toContain(js('  return n * 1;'));
  });

  it('insert nothing that leaves a block in front of its other statements, and mark a second throw', async () => {
    const text = js("  if (n) {\n    other = 1;\n  }\n  if (other) throw new Error('x');");
    const lines = new Map(text.split('\n').map((_, i) => [i + 1, 1]));
    const made =
      (await symbols.withTree('a.js', text, tree =>
        candidatesOf({ path: 'a.js', text, lines, earlier: [] }, tree),
      )) ?? [];
    const inserted = made
      .filter(c => c.template.id === 'insert')
      .map(c => ({ text: applyTextEdits(text, c.edits), risk: c.risk }))
      .filter(c => c.text.split('throw').length > 2);
    expect(inserted.filter(c => /throw[^\n]*\n\s*other = 1/.test(c.text))).toEqual([]);
    expect(inserted.map(c => c.risk)).toContainEqual(expect.stringContaining('it throws'));
    expect(inserted.filter(c => c.risk === '')).toEqual([]);
  });

  it('mark what may only hide a failure', async () => {
    const text = py('    if n:\n        raise ValueError(n)\n    return n + other');
    const lines = new Map(text.split('\n').map((_, i) => [i + 1, 1]));
    const made =
      (await symbols.withTree('a.py', text, tree =>
        candidatesOf({ path: 'a.py', text, lines }, tree),
      )) ?? [];
    const risky = made.filter(c => c.risk !== '').map(c => applyTextEdits(text, c.edits));
    expect(risky).toContain(py('    return n + other'));
    expect(risky).toContain(py('    if n:\n        raise ValueError(n)\n    return 0'));
    const ordinary = made.filter(c => c.risk === '').map(c => applyTextEdits(text, c.edits));
    expect(ordinary).toContain(py('    if n:\n        raise ValueError(n)\n    return n - other'));
  });
});
