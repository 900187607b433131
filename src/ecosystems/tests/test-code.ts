/** Recognises tests in source text: their names, the libraries, and calls that end the process. Pure. */
import { ecosystems } from '../index.ts';
import { shortLines } from '../shared/cheats.ts';

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

/** The part of a source file that holds its own tests; empty if there is none. */
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
