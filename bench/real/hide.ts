/** Hides some failing tests of a project from the engine, so that a repair can be judged by tests it never saw. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listTestFiles, runTests } from './projects.ts';

/**
 * Turns every second failing test off, in the order of the run, and returns how many. None if that would leave no failing
 * test, or if the tests that fail cannot be told apart.
 */
export async function hideTests(folder: string, test: string): Promise<number> {
  const line = /\bmocha\b/.test(test)
    ? `${test} --reporter tap`
    : test.replace('--test', '--test --test-reporter=tap');
  const failing = findFailingNames((await runTests(folder, line)).output);
  const before = new Map(listTestFiles(folder).map(f => [f, textOf(folder, f)] as const));
  let hidden = 0;
  for (const name of failing.filter((_, i) => i % 2 === 1)) hidden += turnOff(folder, name) ? 1 : 0;
  if (hidden === 0 || !(await runTests(folder, test)).passed) return hidden;
  for (const [file, text] of before) writeFileSync(join(folder, file), text);
  return 0;
}

/** Names of the failing tests: of tape, those of the comment above an assertion; otherwise those of the results. */
export function findFailingNames(output: string): readonly string[] {
  const names = new Set<string>();
  const subtests = output.includes('# Subtest: ');
  let above = '';
  for (const text of output.split('\n')) {
    const body = text.trim();
    const name = /^not ok \d+ (?:- )?(.*)$/.exec(body)?.[1]?.replace(/ #.*$/, '');
    const python = /^FAILED \S+::(\w+)/.exec(body)?.[1];
    if (!subtests && body.startsWith('# ')) above = body.slice(2);
    else if (name !== undefined) names.add(above || name);
    else if (python !== undefined) names.add(python);
  }
  return [...names];
}

/** Turns a test off where its name occurs once. */
function turnOff(folder: string, name: string): boolean {
  const last = name.split(' ');
  // mocha joins the names of suites and test, so that the longest ending that a file holds is the test
  const endings = last.map((_, i) => last.slice(i).join(' '));
  for (const ending of endings) {
    const call = new RegExp(
      `^([ \\t]*)((?:\\w+\\.)?(?:test|it)\\((['"\`])${escaped(ending)}\\3,)|^([ \\t]*)def (${escaped(ending)})\\(`,
      'gm',
    );
    const holders = listTestFiles(folder).filter(f => textOf(folder, f).search(call) !== -1);
    const found = holders.flatMap(f => [...textOf(folder, f).matchAll(call)]);
    if (found.length === 0) continue;
    const [file] = holders;
    if (found.length > 1 || file === undefined) return false;
    writeFileSync(join(folder, file), textOf(folder, file).replace(call, off));
    return true;
  }
  return false;
}

/** A test that never runs: `if (false) test(…` or a function whose name pytest does not collect. */
function off(_: string, indent: string, call: string, _quote: string, space: string, name: string) {
  return name === undefined ? `${indent}if (false) ${call}` : `${space}def hidden_${name}(`;
}

const textOf = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
