/** vitest, jest and mocha: a process for each candidate, with the JSON report that each of them prints. */
import * as z from 'zod';
import { openCold } from './cold.ts';
import { type PlainCommand, quoted } from './command-words.ts';
import type { CaseResult, Place, TestBed } from './test-runner.ts';
import type { Workbench } from './workbench.ts';

/** A process and its transforms take about a second. */
const mostCandidates = 150;
const firstMs = 120_000;
/** Where the report goes; what tests print does not come into it. */
const reportPath = 'photon-report.json';

interface JsonRunner {
  readonly program: string;
  /** Words behind the project's own that make the report and stop at the first failure. */
  readonly report: (bail: boolean) => readonly string[];
  /** True when the report is what the program prints. */
  readonly printed?: boolean;
}

const runners: readonly JsonRunner[] = [
  {
    program: 'vitest',
    report: bail => [
      '--run',
      '--reporter=json',
      `--outputFile=${reportPath}`,
      ...(bail ? ['--bail=1'] : []),
    ],
  },
  {
    program: 'jest',
    report: bail => [
      '--json',
      `--outputFile=${reportPath}`,
      '--coverage=false',
      ...(bail ? ['--bail'] : []),
    ],
  },
  {
    program: 'mocha',
    report: bail => ['--reporter', 'json', ...(bail ? ['--bail'] : [])],
    printed: true,
  },
];

/** Runs the tests once as they stand; null when the command is none of these or there is no report. */
export async function openJson(bench: Workbench, plain: PlainCommand): Promise<TestBed | null> {
  const runner = runners.find(r => r.program === plain.words[0]);
  if (runner === undefined) return null;
  const own = plain.words.filter(w => !/^(--reporter|--outputFile|--coverage|--watch)/.test(w));
  const line = (tests: readonly string[] | null, bail: boolean) =>
    // a report of the candidate before is none of this one
    `rm -f ${reportPath}; ` +
    [...plain.env, ...own, ...(tests ?? []), ...runner.report(bail)].map(quoted).join(' ');
  const open = async () => {
    const view = await bench.open();
    return openCold({
      bench,
      view,
      line: (tests, job) => line(tests, job.bail),
      parse: output => parseReport(runner.printed ? output : (view.read(reportPath) ?? '')),
      timeoutMs: Math.min(firstMs, bench.testTimeoutMs),
    });
  };
  const first = await open();
  const seen = await first.run({
    files: {},
    stages: [{ tests: [], only: null }],
    bail: false,
    coverage: false,
  });
  first.close();
  if (seen.ended !== 'done' || seen.cases.length === 0) return null;
  return {
    name: `${runner.program}, a process for each candidate`,
    base: seen.cases,
    coverage: [],
    maxCandidates: mostCandidates,
    open,
    close: () => {},
  };
}

const jestSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
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
  err: z.object({ message: z.string().optional(), stack: z.string().optional() }).optional(),
});
const mochaSchema = z.object({
  passes: z.array(mochaTest),
  failures: z.array(mochaTest),
  pending: z.array(mochaTest),
});

/** Cases of a report, with what failures say; none when the text holds no report. */
export function parseReport(text: string): readonly CaseResult[] {
  const data = jsonIn(text);
  const jest = jestSchema.safeParse(data);
  if (jest.success) return jest.data.testResults.flatMap(jestCases);
  const mocha = mochaSchema.safeParse(data);
  if (!mocha.success) return [];
  const { passes, failures, pending } = mocha.data;
  const as = (status: CaseResult['status']) => (t: z.infer<typeof mochaTest>) =>
    caseOf({
      file: t.file ?? '',
      name: t.fullTitle,
      status,
      said: t.err?.stack ?? t.err?.message ?? '',
    });
  return [
    ...passes.map(as('passed')),
    ...failures.map(as('failed')),
    ...pending.map(as('skipped')),
  ];
}

function jestCases(file: z.infer<typeof jestSchema>['testResults'][number]): readonly CaseResult[] {
  if (file.assertionResults.length === 0)
    return [caseOf({ file: file.name, name: '', status: 'failed', said: file.message ?? '' })];
  return file.assertionResults.map(a =>
    caseOf({
      file: file.name,
      name: a.fullName,
      status: a.status === 'passed' || a.status === 'failed' ? a.status : 'skipped',
      said: (a.failureMessages ?? []).join('\n'),
    }),
  );
}

interface Said {
  readonly file: string;
  readonly name: string;
  readonly status: CaseResult['status'];
  readonly said: string;
}

function caseOf({ file, name, status, said }: Said): CaseResult {
  const id = [file, name]
    .filter(p => p !== '')
    .join(' > ')
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  const base = { id, file, status };
  return status === 'failed'
    ? { ...base, message: said.slice(0, 1000), frames: framesIn(said) }
    : base;
}

/** Absolute places on a stack; whoever uses them makes them relative. */
function framesIn(stack: string): readonly Place[] {
  return [...stack.matchAll(/(\/[^\s():]+):(\d+):\d+/g)]
    .filter(([, path]) => !path?.includes('/node_modules/'))
    .slice(0, 20)
    .map(([, path, line]) => ({ path: path ?? '', line: Number(line) }));
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
