/** One scripted conversation through the built command line, and what the rules made of it. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditLedger } from '../../src/audit/audit.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { parseConstitution } from '../../src/guard/policy/parse-constitution.ts';
import type { LedgerEntry } from '../../src/ledger/ledger.ts';
import { answersOf } from '../doubles/answers.ts';
import { type Body, type Script, startModel } from '../doubles/model.ts';
import { makeRepository } from '../doubles/repository.ts';
import { nameSampleTest, sampleFiles } from '../doubles/sample.ts';
import { canary, discard, fingerprint, makeFolder, profile, root } from '../harness.ts';
import { startPhoton } from '../process.ts';

export interface Probe {
  readonly script: Script;
  readonly task?: string;
  /** Over the files of the sample. */
  readonly files?: Readonly<Record<string, string>>;
  /** All files of the repository, in place of the sample. */
  readonly repository?: Readonly<Record<string, string>> | undefined;
  /** The letter of the sources: every look that lacks a step is refused. */
  readonly strict?: boolean;
  readonly options?: readonly string[];
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

const shipped = parseConstitution(
  readFileSync(join(root, 'constitution', 'photon.md'), 'utf8'),
  'photon.md',
);

const strictConstitution = '---\nlimits: { reads: strict }\n---\n';

/** Plays a conversation to its end. The checkout must stay as it is, and the ledger must stand an audit. */
export async function probe({ script, task = plainTask, ...more }: Probe): Promise<Probed> {
  const folder = makeFolder();
  const model = await startModel(script);
  try {
    const checkout = join(folder, 'checkout');
    const out = join(folder, 'out');
    for (const name of ['home', 'out']) mkdirSync(join(folder, name));
    const files: Record<string, string> = more.repository
      ? { ...more.repository }
      : { ...sampleFiles, ...more.files };
    if (more.strict === true) files['constitution.md'] = strictConstitution;
    makeRepository(checkout, { files });
    const before = fingerprint(checkout);
    const { out: printed, err } = await startPhoton({
      args: [
        ...['run', '--repo', checkout, '--out', out, '--json', `--task=${task}`],
        `--agent-profile=${profile}`,
        `--test-command=${nameSampleTest(files['package.json'])}`,
        '--proof-seconds=0',
        ...(more.options ?? []),
      ],
      cwd: checkout,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: join(folder, 'home'),
        PHOTON_API_KEY: canary,
        PHOTON_BASE_URL: model.url,
        PHOTON_MODEL: 'double',
      },
    });
    if (printed === '') throw new Error(`no outcome: ${err}`);
    if (fingerprint(checkout) !== before) throw new Error('the checkout was changed');
    if (model.violations.length > 0) throw new Error(model.violations.join('\n'));
    const kept = readdirSync(out).find(name => existsSync(join(out, name, 'outcome.json'))) ?? '';
    const ledger = readFileSync(join(out, kept, 'ledger.jsonl'), 'utf8');
    const { finding } = auditLedger(ledger, { shipped, complete: true });
    if (finding !== undefined) throw new Error(`the trace deviates: ${JSON.stringify(finding)}`);
    const entries = ledger
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as LedgerEntry);
    const calls = entries.filter(e => e.call !== undefined);
    const requests = model.requests.map(r => r.body);
    return {
      outcome: JSON.parse(printed) as Outcome,
      rounds: requests.length,
      refused: countCodes(calls),
      results: requests.slice(1).map(answersOf),
      requests,
      calls,
      patch: readFileSync(join(out, kept, 'patch.diff'), 'utf8'),
      log: err,
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
