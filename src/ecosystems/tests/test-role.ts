/** Recognises tests in source text, and decides whether a file of a patch is a test or affects how tests run. Pure. */
import type { FileChange } from '../../workspace/files/change.ts';
import type { CommandFiles } from '../commands/command-files.ts';
import { ecosystems } from '../index.ts';
import { type Cheat, shortLines } from '../shared/cheats.ts';
import { touchesTests } from './path-classes.ts';

const forms = ecosystems.flatMap(({ testCode }) => testCode ?? []);
const libraries = forms.flatMap(form => form.libraries ?? []);
const definitions = forms.flatMap(form => form.definitions ?? []);
const exits = forms.flatMap(form => form.exits ?? []);

/** The names of the tests that a text defines, in order. */
export function testNames(text: string): readonly string[] {
  const bounded = shortLines(text);
  return definitions.flatMap(form =>
    [...bounded.matchAll(form)].map(found => found.slice(1).find(name => name !== undefined) ?? ''),
  );
}

/** True for a text that defines tests with a known library, or with the globals of a test runner. */
export function definesTests(text: string): boolean {
  const asserts = /\b(?:expect|assert\w*|chai)\b ?[.(]/.test(text);
  return (asserts || usesTestLibrary(text)) && testNames(text).length > 0;
}

/** True for a text that imports a test library: a test, or a helper for tests. */
export function usesTestLibrary(text: string): boolean {
  const bounded = shortLines(text);
  return libraries.some(l => l.test(bounded));
}

/** The part of a source file that holds its own tests; may be empty. */
export function inlineTests(text: string): string {
  const starts = forms.flatMap(({ inline }) => (inline === undefined ? [] : text.search(inline)));
  const at = Math.min(...starts.filter(start => start >= 0));
  return text.slice(at);
}

/** True if a text can end its process with success, or in a way that no runner can catch. */
export function endsProcess(text: string): boolean {
  const bounded = shortLines(text);
  return exits.some(e => e.test(bounded));
}

export interface TestRole {
  /** `tests`: the file holds tests. `means`: it affects how they run, and is reported whatever the task says. */
  readonly kind: 'tests' | 'means';
  /** Why, for the reader of the pull request. */
  readonly reason: string;
  /** True if the patch must also pass with the base's version of this file. */
  readonly decides: boolean;
}

const influences = ecosystems.flatMap(({ influence }) => influence ?? []);
const installed = influences.flatMap(i => i.installed ?? []);
const builds = influences.flatMap(i => i.builds ?? []);

/** Names of programs that run checks. */
const checkName = /(^|[^a-z])(tests?|testing|specs?|checks?|verify|suites?|ci|e2e|qa)([^a-z]|$)/i;
const helperNames: readonly RegExp[] = [
  /(^|[^a-z])tests?[-_.]?(utils?|helpers?|support|setup|lib|kit|base)([^a-z]|$)/i,
  /(^|[^a-z])(spec[-_.]helpers?|testing|test-?harness)([^a-z]|$)/i,
];

/** The role of a changed file; undefined for an ordinary one. */
export function findTestRole(change: FileChange, command: CommandFiles): TestRole | undefined {
  const { path } = change;
  if (touchesTests(change)) return { kind: 'tests', reason: 'tests', decides: true };
  if (installed.some(t => t.test(path)) || influences.some(i => i.shadows?.(change)))
    return means('it replaces a tool that the tests use', true);
  if (command.isNamed(path)) return means('the test command loads it', true);
  if (command.started.has(path)) return means('the test command starts it', checkName.test(path));
  const steers = builds.some(b => b.test(path));
  return (
    roleOfText(change) ??
    (steers ? means('it configures how the project is built and tested', false) : undefined)
  );
}

function means(reason: string, decides: boolean): TestRole {
  return { kind: 'means', reason, decides };
}

function roleOfText(change: FileChange): TestRole | undefined {
  const before = getStateText(change.before);
  const after = getStateText(change.after);
  if (definesTests(before) || (before === '' && definesTests(after)))
    return { kind: 'tests', reason: 'tests', decides: true };
  if (inlineTests(before) !== inlineTests(after) && inlineTests(before) !== '')
    return { kind: 'tests', reason: 'tests inside a source file', decides: false };
  if (usesTestLibrary(before) || usesTestLibrary(after))
    return means('it uses a test library', false);
  return isTestHelper(change.path) ? means('its name is that of a test helper', false) : undefined;
}

/** True for a file whose name is that of a helper for tests. */
export function isTestHelper(path: string): boolean {
  return helperNames.some(name => name.test(path)) && /\.\w+$/.test(path) && !isDocument(path);
}

function isDocument(path: string): boolean {
  return /\.(md|mdx|rst|txt|adoc|html)$/i.test(path);
}

/** The text of a state; empty if the file does not exist. */
export function getStateText(state: FileChange['before']): string {
  return state === undefined ? '' : Buffer.from(state.bytes).toString('utf8');
}

const maxTextChars = 500_000;

/** The cheats that a change adds: those that the file did not have. Empty for languages without forms, and for huge files. */
export function findNewCheats({ path, before, after }: FileChange): readonly Cheat[] {
  const text = getStateText(after);
  if (text.length > maxTextChars) return [];
  const known = new Set(findCheatsIn(path, getStateText(before)).map(c => c.code));
  return findCheatsIn(path, text).filter(c => !known.has(c.code));
}

function findCheatsIn(path: string, text: string): readonly Cheat[] {
  const found = ecosystems
    .filter(e => Object.values(e.detection.sources ?? {}).some(s => s.test(path)))
    .flatMap(({ testCode }) => testCode?.cheats?.(text) ?? []);
  // a helper of tests is flagged as such, and may hold a clock
  return isTestHelper(path) ? found.filter(c => !c.does.startsWith('replaces')) : found;
}
