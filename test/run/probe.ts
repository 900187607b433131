/** One scripted conversation through the built command line, and what the rules made of it. */
import { join } from 'node:path';
import { auditLedger } from '../../src/audit/audit.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import type { LedgerEntry } from '../../src/ledger/ledger.ts';
import { answersOf } from '../doubles/answers.ts';
import { type Body, type Script, startModel } from '../doubles/model.ts';
import { nameSampleTest, sampleFiles } from '../doubles/sample.ts';
import { prepareRun, runIn, terminalEnv } from '../doubles/terminal.ts';
import { policy as shipped } from '../guard/policies.ts';
import { discard, makeFolder } from '../harness.ts';

export interface Probe {
  readonly script: Script;
  readonly task?: string;
  /** Over the files of the sample. */
  readonly files?: Readonly<Record<string, string>>;
  /** All files of the repository, in place of the sample. */
  readonly repository?: Readonly<Record<string, string>> | undefined;
  /** The letter of the sources: every look that lacks a step is refused. */
  readonly strict?: boolean;
  readonly testCommand?: string;
}

export interface Probed {
  readonly outcome: Outcome;
  readonly rounds: number;
  /** Refused calls by their codes. */
  readonly refused: Readonly<Record<string, number>>;
  /** The results of each round, in order. */
  readonly results: readonly (readonly string[])[];
  /** The requests as they were sent. */
  readonly requests: readonly Body[];
  readonly calls: readonly LedgerEntry[];
  readonly patch: string;
  readonly log: string;
  /** The folder that held the checkout, which is gone. */
  readonly folder: string;
}

/** A task that names no path, so that nothing but a look leads to a file. */
export const plainTask =
  'The discount of an order is ten times too large. Make the failing test pass.';

const strictConstitution = '---\nlimits: { reads: strict }\n---\n';

/** Plays a conversation to its end. The checkout must stay as it is, and the ledger must stand an audit. */
export async function probe({ script, task = plainTask, ...more }: Probe): Promise<Probed> {
  const folder = makeFolder();
  const model = await startModel(script);
  try {
    const files: Record<string, string> = more.repository
      ? { ...more.repository }
      : { ...sampleFiles, ...more.files };
    if (more.strict === true) files['constitution.md'] = strictConstitution;
    prepareRun(folder, { files });
    const test = more.testCommand ?? nameSampleTest(files['package.json']);
    const options = { task, 'test-command': test, 'proof-seconds': '0' };
    const env = terminalEnv(join(folder, 'home'), model.url);
    const { outcome, diff, log, ledgerText, isUntouched } = await runIn(folder, options, env);
    if (!isUntouched) throw new Error('the checkout was changed');
    if (model.violations.length > 0) throw new Error(model.violations.join('\n'));
    const { finding } = auditLedger(ledgerText, { shipped, complete: true });
    if (finding !== undefined) throw new Error(`the trace deviates: ${JSON.stringify(finding)}`);
    const entries = ledgerText
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as LedgerEntry);
    const calls = entries.filter(e => e.call !== undefined);
    const requests = model.requests.map(r => r.body);
    return {
      outcome,
      rounds: requests.length,
      refused: countCodes(calls),
      results: requests.slice(1).map(answersOf),
      requests,
      calls,
      patch: diff,
      log,
      folder,
    };
  } finally {
    await model.close();
    discard(folder);
  }
}

function countCodes(calls: readonly LedgerEntry[]): Readonly<Record<string, number>> {
  const codes = calls.flatMap(c => (c.decision === 'abstain' ? [c.code ?? ''] : []));
  return Object.fromEntries(
    [...Map.groupBy(codes, code => code)].map(([k, all]) => [k, all.length]),
  );
}
