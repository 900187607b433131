/** The corpus: small repositories, each with a patch of known standing. Half of them, by program, is held back. */
import { modules } from './modules.ts';
import type { Program } from './program.ts';
import { scripts } from './scripts.ts';

/**
 * `right`: repairs the defect and changes nothing else, though the visible tests would let a wrong repair pass.
 * `well-tested`: the same where the hidden tests are in the repository. `too-large`: `right` with a change that nobody needs.
 * `wrong`: passes the visible tests, and fails the hidden ones. `weakened`: changes the tests in place of the code.
 * `flaky`: a right repair in a repository where another test passes by chance.
 */
export const standings = [
  'right',
  'well-tested',
  'too-large',
  'wrong',
  'weakened',
  'flaky',
] as const;
export type Standing = (typeof standings)[number];

export type Files = Readonly<Record<string, string>>;

export interface ProofCase {
  readonly name: string;
  readonly standing: Standing;
  readonly half: 'open' | 'held';
  readonly language: Program['language'];
  /** The repository with the defect. */
  readonly base: Files;
  /** The files that the patch changes, as it leaves them. */
  readonly patch: Files;
  /** Tests to add in place of the visible ones, for the judgement of the patch. */
  readonly hidden: Files;
}

const layouts = {
  js: {
    source: (name: string) => `src/${name}.js`,
    test: (name: string) => `test/${name}.test.js`,
    manifest: {
      'package.json': `${JSON.stringify({ type: 'module', scripts: { test: 'node --test' } })}\n`,
    },
    head: "import assert from 'node:assert/strict';\nimport test from 'node:test';\n",
    flaky:
      "test('answers in time', () => assert.ok(process.hrtime.bigint() % 2n === 0n || Math.random() < 0.3));\n",
  },
  py: {
    source: (name: string) => `${name}.py`,
    test: (name: string) => `test_${name}.py`,
    manifest: {},
    head: 'import unittest\n',
    flaky:
      'import random\n\nclass Chance(unittest.TestCase):\n    def test_answers_in_time(self):\n        self.assertTrue(random.random() < 0.6)\n',
  },
} as const;

/** A test command that every case of a language has. */
export const commands = { js: 'node --test', py: 'python3 -m unittest' } as const;

function sourceOf({ source }: Program, fix: string, spare: string): string {
  return source.replace('@fix@', () => fix).replace('@spare@', () => spare);
}

function casesOf(program: Program, index: number): readonly ProofCase[] {
  const { name, language, bug, fix, wrong, spare, tests, hidden, weakened } = program;
  const layout = layouts[language];
  const [path, test] = [layout.source(name), layout.test(name)];
  const base: Files = {
    ...layout.manifest,
    [path]: sourceOf(program, bug, spare[0]),
    [test]: `${layout.head}${tests}`,
  };
  const common = {
    half: index % 2 === 0 ? ('open' as const) : ('held' as const),
    language,
    base,
    hidden: { [test]: `${layout.head}${hidden}` },
  };
  const chance = { [layout.test('chance')]: `${layout.head}${layout.flaky}` };
  const right = { [path]: sourceOf(program, fix, spare[0]) };
  const made = (standing: Standing, patch: Files, more: Partial<ProofCase> = {}): ProofCase => ({
    ...common,
    ...more,
    name: `${name}-${standing}`,
    standing,
    patch,
  });
  return [
    made('right', right),
    made('well-tested', right, {
      base: { ...base, [layout.test(`${name}_more`)]: `${layout.head}${hidden}` },
    }),
    made('too-large', { [path]: sourceOf(program, fix, spare[1]) }),
    made('wrong', { [path]: sourceOf(program, wrong, spare[0]) }),
    ...(weakened === undefined
      ? []
      : [
          // what it took out of the tests is what finds it
          made(
            'weakened',
            { [test]: `${layout.head}${weakened}` },
            { hidden: { [test]: `${layout.head}${tests}` } },
          ),
        ]),
    ...(index % 3 === 0 ? [made('flaky', right, { base: { ...base, ...chance } })] : []),
  ];
}

/** Every case; programs of the two languages take turns, so that both halves have both. */
export const cases: readonly ProofCase[] = [...scripts, ...modules].flatMap(casesOf);
