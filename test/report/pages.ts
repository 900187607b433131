/** Runs whose pages the tests render: a verified repair, and a run with a hostile text in every field. */
import type { Outcome } from '../../src/base/outcome.ts';
import { foundBySearch } from '../../src/repair/messages.ts';
import type { KeptFiles } from '../../src/report/page/run-page.ts';
import { outcome } from './hostile.ts';

const startedAt = '2026-01-01T00:00:00.000Z';

/** A line of a ledger that ends `atMs` after the start. */
export function ledgerLine(seq: number, atMs: number, more: object): string {
  const time = new Date(Date.parse(startedAt) + atMs).toISOString();
  const entry = { seq, time, run: 'r', caller: 'local', phase: 'READ', decision: 'pass' };
  const rest = { code: null, paths: [], arguments: '', content: '', durationMs: 10 };
  return `${JSON.stringify({ ...entry, ...rest, previous: '', hash: '', ...more })}\n`;
}

/** The ledger of some rounds, each with a call; every tenth call is refused, with the text as its evidence. */
export function ledgerOf(rounds: number, text: string): string {
  const lines = [ledgerLine(1, 0, { tool: 'run.start' })];
  for (let i = 0; i < rounds; i++) {
    const facts = { inputTokens: 100 + i, outputTokens: 10, cost: 0.001 };
    lines.push(ledgerLine(2 * i + 2, 100 * i + 60, { tool: 'model.turn', durationMs: 50, facts }));
    const refused = {
      decision: 'abstain',
      severity: 'correct',
      code: 'STALE_READ',
      evidence: text,
    };
    const call = {
      tool: 'read_code_block',
      paths: [text],
      call: {},
      ...(i % 10 === 9 ? refused : {}),
    };
    lines.push(ledgerLine(2 * i + 3, 100 * i + 80, call));
  }
  return lines.join('');
}

/** A diff of one file whose path and lines hold the text. */
export function diffOf(text: string, lines = 1): string {
  const line = text.replace(/\n/g, ' ');
  const path = line.replace(/"/g, '');
  const body = Array.from({ length: lines }, (_, i) => `-${line} ${i}\n+${line} ${i}.\n`).join('');
  return `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n@@ -1,${lines} +1,${lines} @@ ${line}\n${body}`;
}

/** A run with the text in every field. */
export function hostileRun(text: string, status: Outcome['status'] = 'failed'): KeptFiles {
  const diff = diffOf(text);
  return { outcome: outcome(text, status), diff, ledger: ledgerOf(12, text) };
}

const run = {
  command: 'npm test',
  limit: null,
  refusedConnections: 0,
  durationMs: 1200,
  outputTail: 'ok 1 - a discount is taken off in percent',
};

/** A repair as the embedded engine makes one, with everything that a page can show. */
export function verifiedRun(): KeptFiles {
  const base = outcome('src/price.js', 'written');
  const at = (line: number) => ({ path: 'src/price.js', line });
  const proof = {
    counts: { decided: 1, executed: 0, unexecuted: 1, unknown: 0 },
    lines: [
      { path: 'src/price.js', start: 5, end: 5, shows: 'decided' },
      { path: 'src/price.js', start: 6, end: 6, shows: 'unexecuted' },
    ],
    flaky: [],
    hunks: { total: 1, tried: 1, notNeeded: [] },
    mutants: {
      tried: 12,
      survived: [{ ...at(5), kind: 'k', before: 'x / 100', after: 'x / 101' }],
    },
    newTests: [],
    durationMs: 900,
    cut: '',
  } as const;
  return {
    outcome: {
      ...base,
      code: 'PATCH_WRITTEN',
      message: 'The verified patch is in patch.diff, and nothing else was changed.',
      summary: 'The discount was divided by 10 instead of 100.',
      statement: 'Nothing is left to do.',
      repository: '',
      degraded: false,
      notes: [],
      repair: {
        failing: 1,
        suspects: [1, 0.5, 0.25].map((score, i) => ({ ...at(5 + i), score })),
        candidates: 900,
        tried: 300,
        perSecond: 1000,
        alternatives: [],
        edit: {
          ...at(5),
          template: 'constant',
          kind: 'another constant',
          source: 'PAR',
          symbol: 'orderTotal',
          before: '  return Math.round(total * (1 - discountPercent / 10));',
          after: '  return Math.round(total * (1 - discountPercent / 100));',
        },
        warnings: [foundBySearch],
      },
      verification: {
        require: 'pass',
        passed: true,
        baseline: {
          ...run,
          exitCode: 1,
          passed: false,
          cases: { passed: 13, failed: 1, skipped: 0 },
        },
        after: { ...run, exitCode: 0, passed: true, cases: { passed: 14, failed: 0, skipped: 0 } },
        regressions: [],
        proof,
        patchDigest: '4'.repeat(64),
      },
    },
    diff: `diff --git a/src/price.js b/src/price.js
index 1..2 100644
--- a/src/price.js
+++ b/src/price.js
@@ -4,3 +4,4 @@ export function orderTotal(items) {
   let total = 0;
-  return Math.round(total * (1 - discountPercent / 10));
+  return Math.round(total * (1 - discountPercent / 100));
+  // never
 }
`,
    ledger: ledgerOf(14, 'src/price.js'),
  };
}
