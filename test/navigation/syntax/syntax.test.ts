/** Which texts the syntax check calls broken: none that its compiler accepts, and each that it refuses. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { createSourceFile, ScriptKind, ScriptTarget, type SourceFile } from 'typescript-6';
import { describe, expect, it, vi } from 'vitest';
import { parseInSandbox } from '../../../src/navigation/open-navigation.ts';
import { openSymbols } from '../../../src/navigation/symbols.ts';
import {
  findProgramParser,
  type ProgramRunner,
} from '../../../src/navigation/syntax/program-syntax.ts';
import { openSyntaxChecker } from '../../../src/navigation/syntax/syntax.ts';
import { openShipped } from '../../../src/workspace/trusted/shipped.ts';
import type { ViewMount } from '../../../src/workspace/views/view.ts';
import { has, needs } from '../../programs.ts';
import { root } from '../../root.ts';
import { isAll, randomOf, sample } from '../../seed.ts';
import { invalidForms, programForms, validForms } from '../syntax-forms.ts';

const symbols = openSymbols(openShipped(root));
const checker = openSyntaxChecker(symbols, undefined);

/** Runs a parser as the sandbox does, without one. */
const runner: ProgramRunner = async ({ line, program }, text) =>
  spawnSync('sh', ['-c', line, program], { input: text, encoding: 'utf8' }).stdout;

/** True when TypeScript's own parser has no error in a text. */
function compilerReads(name: string, text: string): boolean {
  const kind = /\.[cm]?ts$/.test(name) ? ScriptKind.TS : ScriptKind.TSX;
  const file = createSourceFile(name, text, ScriptTarget.Latest, false, kind);
  return (file as SourceFile & { parseDiagnostics: unknown[] }).parseDiagnostics.length === 0;
}

describe('a form of the language', () => {
  it.each(validForms)('in %s is valid: %j', async (name, text) => {
    const report = await checker.check(name, text);
    expect(report).toMatchObject({ complete: true, errors: [] });
    if (/\.([cm]?ts|tsx)$/.test(name)) expect(compilerReads(name, text)).toBe(true);
  });

  it.each(invalidForms)('in %s is invalid: %j', async (name, text) => {
    const report = await checker.check(name, text);
    expect(report?.complete).toBe(true);
    expect(report?.errors).not.toEqual([]);
    if (/\.([cm]?ts|tsx)$/.test(name)) expect(compilerReads(name, text)).toBe(false);
  });

  // .ci/run installs the other programs for a complete run alone
  const played = Object.entries(programForms).filter(([, f]) => isAll || f.needed === 'python3');
  describe.each(played)('as %s reads it', (program, { needed, name, ...forms }) => {
    const own = openSyntaxChecker(symbols, runner);
    it.runIf(has(needed))(`is judged by it ${needs(needed)}`, async () => {
      for (const text of forms.valid)
        expect(await own.check(name, text), text).toEqual({
          parser: program,
          complete: true,
          errors: [],
        });
      for (const text of forms.invalid) {
        const report = await own.check(name, text);
        expect(report?.complete, text).toBe(true);
        expect(report?.errors[0]?.line, text).toBeGreaterThan(0);
      }
    });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('the syntax check', () => {
  it('names line and column of an error', async () => {
    const at = async (name: string, text: string) => (await checker.check(name, text))?.errors[0];
    expect(await at('a.ts', 'let a;\nlet b = ;\n')).toMatchObject({ line: 2, column: 9 });
    expect(await at('a.json', '{\n  "a": x\n}')).toMatchObject({ line: 2, column: 8 });
    expect(await at('a.json', '{\n  "a": 1\n')).toMatchObject({ line: 3, column: 1 });
  });

  it('judges JSON as JSON.parse does', async () => {
    const random = randomOf('JSON');
    const marks = ['{', '}', '[', ']', ',', ':', '"a"', '1', '-0.5e3', 'null', ' ', '01', '"\\x"'];
    const draw = () => marks[Math.floor(random() * marks.length)] ?? '';
    const value = () => (random() < 0.5 ? '{"a":[1,{}],"b":null}' : '[[],"",{"c":{"d":-1}}]');
    for (let i = 0; i < 3_000; i++) {
      const whole = value();
      const at = Math.floor(random() * whole.length);
      const text = whole.slice(0, at) + draw() + whole.slice(at + Math.floor(random() * 3));
      const report = await checker.check('package.json', text);
      expect(report?.errors.length === 0, text).toBe(isJson(text));
    }
  });

  it('takes errors of a grammar for hints, also where the program of a language is missing', async () => {
    for (const name of ['a.swift', 'a.c', 'a.cpp', 'a.rs', 'a.py'])
      expect(await checker.check(name, 'f((\n')).toMatchObject({ complete: false });
    const missing = openSyntaxChecker(symbols, async () => undefined);
    const crashed = openSyntaxChecker(symbols, async () => 'MemoryError\nexit status 1\n');
    for (const each of [missing, crashed])
      expect(await each.check('a.py', 'def f(\n')).toMatchObject({ complete: false });
  });

  it("reads what Ruby's two parsers and PHP print", () => {
    const read = (name: string, printed: string) =>
      findProgramParser(name)?.read(`${printed}\nexit status 255\n`);
    const old = "-:3: syntax error, unexpected end-of-input, expecting `end'";
    const prism = [
      '/usr/bin/ruby: -:2: syntax errors found (SyntaxError)',
      '  1 | a',
      '> 2 | do',
      "    | ^~ unexpected 'do', ignoring it",
    ].join('\n');
    const php =
      'Parse error: syntax error, unexpected end of file in Standard input code on line 4';
    expect([read('a.rb', old), read('a.rb', prism), read('a.php', `\n${php}`)]).toEqual([
      [{ line: 3, column: 1, message: "syntax error, unexpected end-of-input, expecting `end'" }],
      [{ line: 2, column: 1, message: "unexpected 'do', ignoring it" }],
      [{ line: 4, column: 1, message: 'syntax error, unexpected end of file' }],
    ]);
    expect(
      read('a.php', 'Fatal error: Cannot redeclare a() in Standard input code on line 4'),
    ).toBeUndefined();
  });

  it('stops a parser of the machine that takes too long', async () => {
    vi.useFakeTimers();
    const [input, output, stop] = [new PassThrough(), new PassThrough(), vi.fn()];
    const ended = new Promise<void>(() => {});
    const start = () => ({ input, output, stop, ended, errors: () => '' });
    const view = {} as ViewMount;
    const read = parseInSandbox({ start }, { line: '', program: 'python3', text: 'a', view });
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect([await read, stop.mock.calls.length]).toEqual([undefined, 1]);
  });

  it('gives no judgement on a text that takes too long or is nested too deep', async () => {
    const deep = `x = ${'('.repeat(100_000)}`.replace(/.{9999}/g, '$&\n');
    expect(await checker.check('a.ts', deep)).toMatchObject({ complete: false });
    for (const level of ['<T>(', 'async<T>(a = ', '<T>/*)*/('])
      expect(await checker.check('a.ts', level.repeat(30))).toMatchObject({ complete: false });
    expect(await checker.check('a.ts', `${' '.repeat(1_000_001)}(`)).toBeUndefined();
    expect(await checker.check('a.txt', '(((')).toBeUndefined();
  });
});

describe('files that packages bring', () => {
  const packages = join(root, 'node_modules');
  const source = /(?<!\.min)\.(?:[cm]?[jt]s|[jt]sx|json)$/;
  const files = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter(
    name => source.test(name) && !name.includes('/fixtures/'),
  );

  it('are not refused when a compiler accepts them', async () => {
    for (const name of sample('files of packages', files, 400)) {
      const path = join(packages, name);
      if (!statSync(path).isFile() || statSync(path).size > 300_000) continue;
      const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
      const report = await checker.check(name, text);
      if (report === undefined || report.errors.length === 0) continue;
      const isValid = name.endsWith('.json') ? isJson(text) : compilerReads(name, text);
      expect(isValid, `${name}: ${report.errors[0]?.message}`).toBe(false);
    }
  });
});
