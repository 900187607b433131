/**
 * Reads the programs of the repair benchmark. A file in `programs/` holds a whole program; then, behind comments of one
 * word, calls with their results (`tests`), calls with random arguments (`oracle`), and its `faults`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `tuning` may be looked at. `held-out` may not, and which program is in it was drawn by its name before any was played.
 * `planted` is a third set, whose tests nobody tightened. Only the tuning half is shown with what the engine did.
 */
export const halves = ['tuning', 'held-out', 'planted'] as const;
export type Half = (typeof halves)[number];

/** The text of each file by its path relative to the root of the repository. */
export type Repository = Readonly<Record<string, string>>;

/** A call as the language of its program writes it, and its result, or `throws` and the class of an error. */
export interface TestCall {
  readonly call: string;
  readonly result: string;
}

/** One place that is wrong: the first occurrence of `right` in a line is `wrong`. */
export interface Fault {
  /** Of the program, counted from 1. */
  readonly line: number;
  readonly kind: string;
  readonly right: string;
  /** Empty if the statement is missing. */
  readonly wrong: string;
}

/** A program of the benchmark. */
export interface Program {
  readonly name: string;
  readonly language: 'javascript' | 'python';
  readonly half: Half;
  readonly text: string;
  readonly tests: readonly TestCall[];
  /** Calls with random arguments, and helpers of them as `name = expression`. */
  readonly oracle: readonly string[];
  readonly faults: readonly Fault[];
}

/** One fault of a program: what the engine gets, and what the repository is when it is repaired. */
export interface RepairCase {
  /** Of the program, and the number of the fault. */
  readonly id: string;
  readonly program: Program;
  readonly fault: Fault;
  /** The path of the program. */
  readonly file: string;
  readonly buggy: Repository;
  readonly fixed: Repository;
}

/** Reads all programs, by name. @throws Error on one that does not hold what it must. */
export function readPrograms(): readonly Program[] {
  const folder = join(import.meta.dirname, 'programs');
  return readdirSync(folder)
    .sort()
    .map(file => parseProgram(file, readFileSync(join(folder, file), 'utf8')));
}

function parseProgram(file: string, content: string): Program {
  const language = file.endsWith('.py') ? 'python' : 'javascript';
  const mark = language === 'python' ? '#' : '//';
  const [head = '', ...lines] = content.trimEnd().split('\n');
  const half = halves.find(h => head === `${mark} ${h}`);
  const [tests, oracle, faults] = ['tests', 'oracle', 'faults'].map(t =>
    lines.indexOf(`${mark} ${t}`),
  );
  if (half === undefined || tests === undefined || oracle === undefined || faults === undefined)
    throw new Error(`${file} does not say its half, or has no tests, oracle or faults`);
  const own = { name: file.replace(/\.\w+$/, ''), language, half } as const;
  return {
    ...own,
    text: `${lines.slice(0, tests).join('\n').trimEnd()}\n`,
    tests: lines
      .slice(tests + 1, oracle)
      .filter(Boolean)
      .map(line => {
        const at = line.lastIndexOf(` ${mark} `);
        return { call: line.slice(0, at).trimEnd(), result: line.slice(at + mark.length + 2) };
      }),
    oracle: lines.slice(oracle + 1, faults).filter(Boolean),
    faults: lines.slice(faults + 1).map(line => {
      const [, at, kind = '', right = '', wrong = ''] =
        /^\S+ (\d+) (.+?): `(.+)` ► `(.*)`$/.exec(line) ?? [];
      if (at === undefined) throw new Error(`${file}: ${line} is no fault`);
      return { line: Number(at), kind, right, wrong };
    }),
  };
}

/** Every fault of every program as a case. */
export const listCases = (programs: readonly Program[]): readonly RepairCase[] =>
  programs.flatMap(program => program.faults.map((_, i) => makeCase(program, i)));

function makeCase(program: Program, at: number): RepairCase {
  const { name, text } = program;
  const fault = program.faults[at];
  if (fault === undefined) throw new Error(`${name} has no fault ${at + 1}`);
  const [file, others] =
    program.language === 'python' ? makePython(program) : makeJavaScript(program);
  return {
    id: `${name}-${at + 1}`,
    program,
    fault,
    file,
    buggy: { ...others, [file]: plantFault(text, fault) },
    fixed: { ...others, [file]: text },
  };
}

/** The text with a fault. @throws Error if its line does not hold what the fault replaces. */
export function plantFault(text: string, { line, right, wrong }: Fault): string {
  const lines = text.split('\n');
  const held = lines[line - 1] ?? '';
  if (!held.includes(right)) throw new Error(`line ${line} does not hold ${right}`);
  return lines.with(line - 1, held.replace(right, () => wrong).trimEnd()).join('\n');
}

const listNames = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(m => m[1]).join(', ');

/** A package with a test of `node:test` for each call. */
function makeJavaScript({ name, text, tests }: Program): readonly [string, Repository] {
  const scripts = { test: 'node --test' };
  const written = tests.map(({ call, result }) => {
    const error = /^throws (\w+)$/.exec(result)?.[1];
    const assertion =
      error === undefined
        ? `async () => assert.deepEqual(await ${call}, ${result})`
        : `() => assert.throws(() => ${call}, ${error})`;
    return `test(${JSON.stringify(call)}, ${assertion});\n`;
  });
  const exported = listNames(text, /^export (?:async )?(?:function|const|class) (\w+)/gm);
  const head = [
    "import assert from 'node:assert/strict';",
    "import test from 'node:test';",
    `import { ${exported} } from '../src/${name}.js';`,
  ];
  const others = {
    'package.json': `${JSON.stringify({ name, version: '1.0.0', type: 'module', scripts }, null, 2)}\n`,
    [`test/${name}.test.js`]: `${head.join('\n')}\n\n${written.join('')}`,
  };
  return [`src/${name}.js`, others];
}

/** A module with a test of `unittest` for each call. */
function makePython({ name, text, tests }: Program): readonly [string, Repository] {
  const module = name.replaceAll('-', '_');
  const written = tests.map(({ call, result }, i) => {
    const error = /^throws (\w+)$/.exec(result)?.[1];
    const body =
      error === undefined
        ? `        self.assertEqual(${call}, ${result})\n`
        : `        with self.assertRaises(${error}):\n            ${call}\n`;
    return `\n    def test_${/^\w+/.exec(call)?.[0]}_${i + 1}(self):\n${body}`;
  });
  const imports = text.split('\n').filter(line => /^(import|from) /.test(line));
  const defined = listNames(text, /^(?:def |class |(?=\w+ = ))(\w+)/gm);
  const head = ['import unittest', ...imports, '', `from ${module} import ${defined}`];
  const command = 'python3 -m unittest discover -s tests -v';
  const others = {
    '.photon/config.json': `${JSON.stringify({ verify: { command } }, null, 2)}\n`,
    [`tests/test_${module}.py`]: `${head.join('\n')}\n\n\nclass Calls(unittest.TestCase):${written.join('')}`,
  };
  return [`${module}.py`, others];
}
