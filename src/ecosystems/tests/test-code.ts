/** Recognises tests in source text: their names, the libraries, and calls that end the process. Pure. */

/** Imports of test libraries; `assert` is left out, because programs use it, too. */
const libraries: readonly RegExp[] = [
  /(?:from|require\(|import\(|import)\s*['"](?:node:test|vitest|mocha|chai|ava|tape|tap|uvu|@jest\/globals|jest|jasmine|bun:test|@playwright\/test|@testing-library\/[\w-]+|supertest|sinon)(?:\/[\w-]+)*['"]/,
  /^[ \t]*(?:import|from)\s+(?:unittest|pytest|hypothesis|nose2?|doctest)\b/m,
  /^[ \t]*(?:import +)?(?:\w+ +)?"(?:testing|github\.com\/stretchr\/testify\/\w+)"[ \t]*$/m,
  /^[ \t]*import\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.scalatest|io\.kotest)\b/m,
  /^[ \t]*using\s+(?:Xunit|NUnit\.Framework|Microsoft\.VisualStudio\.TestTools)/m,
  /^[ \t]*require\s+['"](?:minitest|test\/unit|rspec)/m,
  /^[ \t]*(?:use|import)\s+(?:PHPUnit|XCTest|ExUnit|Test::More)\b/m,
];

const definitions: readonly RegExp[] = [
  /^[ \t]*(?:await )?(?:it|test|describe|suite|context|specify)(?:\.\w+)*\s*\(\s*(?:'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`]*)`)/gm,
  /^[ \t]*(?:async )?def (test\w*)\s*\(/gm,
  /^func ((?:Test|Fuzz)\w*)\s*\(\w+ \*testing\./gm,
  /^[ \t]*(?:public |private |async |suspend )*(?:fun|void|function) (test\w+|`[^`]+`)\s*\(/gm,
  /^[ \t]*@Test\b[^\n]*\n(?:[ \t]*@[^\n]*\n)*[^\n(]*?(\w+)\s*\(/gm,
];

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

/** The part of a source file that holds its own tests, as in Rust and vitest; empty if there is none. */
export function inlineTests(text: string): string {
  const at = text.search(/^[ \t]*#\[cfg\(test\)\]|\bimport\.meta\.vitest\b/m);
  return at < 0 ? '' : text.slice(at);
}

/** Calls that end the process with success, or in a way that no runner can catch. */
const ends: readonly RegExp[] = [
  /\bprocess\s*\.\s*(?:exit|reallyExit)\s*\(\s*0?\s*\)/,
  /\bprocess\s*\[\s*['"]/,
  /\bprocess\s*\.\s*(?:reallyExit|abort|kill|binding|dlopen)\s*\(/,
  /\bexitCode\s*=\s*0\b/,
  /\b(?:Deno|Bun)\s*\.\s*exit\s*\(\s*0?\s*\)/,
  /\bos\s*\.\s*(?:_exit|abort|kill|exec\w+)\s*\(|\bfrom\s+os\s+import\b.*\b_exit\b/,
  /\bsys\s*\.\s*exit\s*\(\s*0?\s*\)|\braise\s+SystemExit\b(?:\s*\(\s*0?\s*\))?\s*$/m,
  /\batexit\s*\.\s*register\s*\(/,
  /\b(?:os|syscall)\s*\.\s*Exit\s*\(\s*0\s*\)/,
  /\b(?:System\s*\.\s*exit|Environment\s*\.\s*Exit|process::exit|_exit|_Exit|quick_exit)\s*\(\s*0\s*\)/,
  /\bRuntime\s*\.\s*getRuntime\s*\(\s*\)\s*\.\s*halt\b/,
  /\bexit!\s*(?:\(?\s*(?:0|true)?\s*\)?)\s*$/m,
];

/** True if a text can end its process with success, or in a way that no runner can catch. */
export function endsProcess(text: string): boolean {
  const bounded = shortLines(text);
  return ends.some(e => e.test(bounded));
}

/** Breaks up long lines, because some patterns scan a line once for each of its characters. */
function shortLines(text: string): string {
  return text.replace(/[^\n]{2000}(?=[^\n])/g, '$&\n');
}
