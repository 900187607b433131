/** Tests that run the output of the TypeScript compiler: candidates are made and localised in the source. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tryJobs, withAdapter } from '../../../doubles/runner-context.ts';
import { root } from '../../../root.ts';
import { playsVariants } from '../../../seed.ts';

const limitMs = 120_000;

const source = [
  'interface Item {',
  '  readonly price: number;',
  '}',
  '',
  'enum Least {',
  '  Free = 5000,',
  '}',
  '',
  'export function total(items: readonly Item[]): number {',
  '  let sum = 0;',
  '  for (let i = 1; i < items.length; i += 1) sum += (items[i] as Item).price;',
  '  return sum;',
  '}',
  '',
  'export function shipsFree(sum: number): boolean {',
  '  return sum >= Least.Free;',
  '}',
  '',
].join('\n');
const right = source.replace('i = 1', 'i = 0');
const loose = right.replace('let sum = 0;', 'let sum: any = 0; const unused: string = 1;');

const spec = [
  "import * as assert from 'node:assert/strict';",
  "import { it } from 'node:test';",
  "import { shipsFree, total } from '../src/price.js';",
  '',
  "it('sum', () => assert.equal(total([{ price: 3 }, { price: 4 }]), 7));",
  "it('none', () => assert.equal(total([]), 0));",
  "it('free', () => assert.equal(shipsFree(5000), true));",
  '',
].join('\n');

const project = (type: 'module' | 'commonjs', options: object) => ({
  'package.json': JSON.stringify({
    type,
    scripts: {
      build: 'rm -rf dist && tsc -p .',
      pretest: 'npm run build',
      test: "node --test 'dist/test/*.test.js'",
    },
  }),
  'tsconfig.json': `{
    // all of it
    "compilerOptions": ${JSON.stringify({ target: 'es2022', module: 'nodenext', outDir: 'dist', rootDir: '.', strict: true, types: [], ...options })},
    "include": ["src", "test"]
  }`,
  // the types of Node
  'test/node.d.ts':
    "declare module 'node:assert/strict' {\n  export function equal(a: unknown, b: unknown): void;\n}\ndeclare module 'node:test' {\n  export function it(name: string, fn: () => unknown): void;\n}\n",
  'src/price.ts': source,
  'test/price.test.ts': spec,
});

/** Puts a compiler of this project's installation into a copy, as `typescript`. */
const withCompiler = (name: string) => (folder: string) => {
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', 'typescript'));
  symlinkSync('../typescript/bin/tsc', join(folder, 'node_modules', '.bin', 'tsc'));
};

describe('tests of compiled TypeScript', () => {
  const compilers = [
    ['a compiler without an interface, for ES modules', 'typescript', 'module', {}],
    ['a compiler with one, for CommonJS', 'typescript-6', 'commonjs', { removeComments: true }],
  ] as const;
  // the first is a native program, which builds in a tenth of the time
  it.each(playsVariants ? compilers : compilers.slice(0, 1))(
    '%s: run warm, in lines of the source',
    async (_, compiler, type, options) => {
      const files = project(type, options);
      const checkout = { files, testCommand: 'npm test', cloned: withCompiler(compiler) };
      await withAdapter(checkout, async (adapter, log) => {
        expect(log).toEqual([]);
        expect(adapter.name).toBe('node:test, warm, each TypeScript file compiled alone');
        const [sum] = adapter.base;
        expect(adapter.base.map(c => c.status)).toEqual(['failed', 'passed', 'passed']);
        expect(sum?.frames).toEqual([{ path: 'test/price.test.ts', line: 5 }]);
        const lines = (id: string) =>
          adapter.coverage.find(c => c.id?.endsWith(id))?.files['src/price.ts'];
        expect(lines('sum')).toEqual(expect.arrayContaining([11, 12]));
        expect(lines('sum')).not.toContain(16);
        expect(lines('free')).toContain(16);
        const job = (text: string, confirm = false) => ({
          files: { 'src/price.ts': text },
          confirm,
        });
        expect(
          await tryJobs(adapter, [
            job(source),
            job(right, true),
            job('export const total = ;'),
            // its types are wrong, which only the build sees
            job(loose),
            job(loose, true),
          ]),
        ).toEqual([false, true, false, true, false]);
      });
    },
    limitMs,
  );
});
