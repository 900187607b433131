/** The JSON reports of vitest, jest and mocha as test cases with what failures say. Pure; reports are foreign. */
import * as z from 'zod';
import type { CaseResult, SourceLine } from './test-runner.ts';

const jestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string().optional(),
      message: z.string().nullish(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const mochaTest = z.object({
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).nullish(),
});
const mochaSchema = z.object({
  passes: z.array(mochaTest),
  failures: z.array(mochaTest),
  pending: z.array(mochaTest),
});

/**
 * Cases of a report, with paths below `root`; none when the text holds no report. A file that could not be
 * loaded, or whose hooks failed, is a case under its own path.
 */
export function parseRunnerReport(text: string, root: string): readonly CaseResult[] {
  const data = jsonIn(text);
  const jest = jestSchema.safeParse(data);
  const mocha = jest.success ? null : mochaSchema.safeParse(data);
  const told = jest.success
    ? jest.data.testResults.flatMap(jestCases)
    : mocha?.success
      ? mochaCases(mocha.data)
      : [];
  const seen = new Map<string, number>();
  return told.map(t => caseOf(t, root, seen));
}

/** One failing case for a run that ended before any report: the first of these test files that it names. */
export function loadFailure(
  output: string,
  { root, tests }: { readonly root: string; readonly tests: readonly string[] },
): readonly CaseResult[] {
  const said = plainText(output);
  const named = framesIn(said, root);
  const found =
    named.find(f => tests.includes(f.path))?.path ?? tests.find(t => said.includes(`/${t}`));
  return found === undefined
    ? []
    : [
        {
          ...{ id: found, file: found, status: 'failed' },
          message: said.slice(0, 1000),
          frames: named,
        },
      ];
}

interface Told {
  readonly file: string;
  readonly name: string;
  readonly status: CaseResult['status'];
  readonly said: string;
}

function jestCases(file: z.infer<typeof jestSchema>['testResults'][number]): readonly Told[] {
  const cases = file.assertionResults.map(
    (a): Told => ({
      file: file.name,
      name: a.fullName,
      status: a.status === 'passed' || a.status === 'failed' ? a.status : 'skipped',
      said: (a.failureMessages ?? []).join('\n'),
    }),
  );
  const broken = file.status === 'failed' && !cases.some(c => c.status === 'failed');
  // without a failing case of its own, the file itself did not load or did not end
  return broken
    ? [{ file: file.name, name: '', status: 'failed', said: file.message ?? '' }]
    : cases;
}

function mochaCases({ passes, failures, pending }: z.infer<typeof mochaSchema>): readonly Told[] {
  const as = (status: CaseResult['status']) => (t: z.infer<typeof mochaTest>) => ({
    file: t.file ?? '',
    name: /"(before|after) (each|all)" hook/.test(t.fullTitle) ? '' : t.fullTitle,
    status,
    said: t.err?.stack ?? t.err?.message ?? '',
  });
  return [
    ...passes.map(as('passed')),
    ...failures.map(as('failed')),
    ...pending.map(as('skipped')),
  ];
}

function caseOf(told: Told, root: string, seen: Map<string, number>): CaseResult {
  const file = below(told.file, root) ?? told.file;
  const plain = [file, told.name]
    .filter(p => p !== '')
    .join(' > ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  const count = (seen.get(plain) ?? 0) + 1;
  seen.set(plain, count);
  const base = { id: count === 1 ? plain : `${plain} (${count})`, file, status: told.status };
  if (told.status !== 'failed') return base;
  const said = plainText(told.said);
  return { ...base, message: said.slice(0, 1000), frames: framesIn(said, root) };
}

/** Without the colours of a terminal. */
function plainText(text: string): string {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}

/** The path below the root folder; null when it is not in it, or not the project's own. */
function below(path: string, root: string): string | null {
  const plain = path.replace(/^file:\/\//, '').replace(/^\/+/, '/');
  if (!plain.startsWith(`${root}/`) || plain.includes('/node_modules/')) return null;
  return plain.slice(root.length + 1);
}

/** The project's places that a text names, in its order. */
export function framesIn(text: string, root: string): readonly SourceLine[] {
  return [...text.matchAll(/(\/[^\s():]+):(\d+)(?::\d+)?/g)]
    .slice(0, 200)
    .flatMap(([, at, line]) => {
      const path = below(at ?? '', root);
      return path === null || Number(line) < 1 ? [] : [{ path, line: Number(line) }];
    })
    .slice(0, 20);
}

/** The whole text as JSON, or the part from its first brace at the start of a line. */
function jsonIn(text: string): unknown {
  for (const part of [text, text.slice(Math.max(0, text.search(/^\{/m)))]) {
    try {
      return JSON.parse(part);
    } catch {
      // what a program prints may stand in front
    }
  }
  return null;
}
