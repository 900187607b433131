/** Reads the JSON reports of vitest, jest and mocha as test cases with their failures. Pure; reports are untrusted. */
import { stripVTControlCharacters } from 'node:util';
import {
  type JestFile,
  parseJestFiles,
  parseMochaCases,
} from '../../ecosystems/javascript/report.ts';
import type { TestCase } from '../../ecosystems/shared/test-case.ts';
import type { CaseResult, SourceLine } from './test-runner.ts';

/**
 * Cases of a report, with paths below `root`; none if the text holds no report. A file that could not
 * be loaded, or whose hooks failed, is a case with the path of the file as its id.
 */
export function parseRunnerReport(text: string, root: string): readonly CaseResult[] {
  const seen = new Map<string, number>();
  return readCases(jsonIn(text)).map(c => makeCase(c, root, seen));
}

function readCases(data: unknown): readonly RunnerCase[] {
  const jest = parseJestFiles(data);
  if (jest !== undefined) return jest === 'too-large' ? [] : jest.flatMap(jestCases);
  const mocha = parseMochaCases(data);
  return typeof mocha === 'object' ? mocha.map(mochaCase) : [];
}

/** One failing case for a run that ended before any report: the first of these test files that the output names. */
export function loadFailure(
  output: string,
  { root, tests }: { readonly root: string; readonly tests: readonly string[] },
): readonly CaseResult[] {
  const message = stripVTControlCharacters(output);
  const frames = framesIn(message, root);
  const found =
    frames.find(f => tests.includes(f.path))?.path ?? tests.find(t => message.includes(`/${t}`));
  if (found === undefined) return [];
  return [{ id: found, file: found, status: 'failed', message: message.slice(0, 1000), frames }];
}

/** One case as the report has it; the name is empty for the file itself. */
interface RunnerCase {
  readonly file: string;
  readonly name: string;
  readonly status: CaseResult['status'];
  readonly message: string;
}

function jestCases(file: JestFile): readonly RunnerCase[] {
  const { name: path = '', status, message } = file;
  const cases = file.cases.map(
    (c): RunnerCase => ({
      file: path,
      name: c.fullName ?? c.title ?? '',
      status: c.status,
      message: c.failureMessages.join('\n'),
    }),
  );
  // a file that failed without a failing case did not load or did not end
  const broken = status === 'failed' && !cases.some(c => c.status === 'failed');
  return broken ? [{ file: path, name: '', status: 'failed', message }] : cases;
}

function mochaCase({ id, file = '', status, message = '' }: TestCase): RunnerCase {
  const isHook = /"(before|after) (each|all)" hook/.test(id);
  return { file, name: isHook ? '' : id, status, message };
}

function makeCase(entry: RunnerCase, root: string, seen: Map<string, number>): CaseResult {
  const file = below(entry.file, root) ?? entry.file;
  const plain = [file, entry.name]
    .filter(p => p !== '')
    .join(' > ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  const count = (seen.get(plain) ?? 0) + 1;
  seen.set(plain, count);
  const base = { id: count === 1 ? plain : `${plain} (${count})`, file, status: entry.status };
  if (entry.status !== 'failed') return base;
  const message = stripVTControlCharacters(entry.message);
  return { ...base, message: message.slice(0, 1000), frames: framesIn(message, root) };
}

/** The path below the root folder; undefined outside of it, and for installed packages. */
function below(path: string, root: string): string | undefined {
  const plain = path.replace(/^file:\/\//, '').replace(/^\/+/, '/');
  if (!plain.startsWith(`${root}/`) || plain.includes('/node_modules/')) return undefined;
  return plain.slice(root.length + 1);
}

/** The places of the project that a text names, in their order. */
export function framesIn(text: string, root: string): readonly SourceLine[] {
  return [...text.matchAll(/(\/[^\s():]{1,400}):(\d+)(?::\d+)?/g)]
    .slice(0, 200)
    .flatMap(([, at, line]) => {
      const path = below(at ?? '', root);
      return path === undefined || Number(line) < 1 ? [] : [{ path, line: Number(line) }];
    })
    .slice(0, 20);
}

/** Parses the whole text as JSON, or the part from the first brace at the start of a line. */
function jsonIn(text: string): unknown {
  for (const part of [text, text.slice(Math.max(0, text.search(/^\{/m)))]) {
    try {
      return JSON.parse(part);
    } catch {
      // output of the program may precede the report
    }
  }
  return null;
}
