/** A real run's record is changed one thing at a time and sealed again where that is possible: audit and verify name it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Statement } from '../../src/audit/statement.ts';
import { type Check, verifyRun } from '../../src/audit/verify-run.ts';
import type { Outcome } from '../../src/base/outcome.ts';
import { judgeLedger } from '../../src/cli/commands/audit.ts';
import { parseConstitution } from '../../src/guard/policy/parse-constitution.ts';
import { findPrograms } from '../../src/process/programs.ts';
import { type Git, openGit } from '../../src/workspace/git/git.ts';
import { openShipped, type ShippedAssets } from '../../src/workspace/trusted/shipped.ts';
import { withConfig } from '../doubles/config.ts';
import { type Forgeable, forgeLedger } from '../doubles/forge.ts';
import { type GitHubDouble, startGitHub } from '../doubles/github.ts';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleFiles, sampleTask } from '../doubles/sample.ts';
import { discard, makeFolder, root, runActionIn } from '../harness.ts';
import { sample } from '../seed.ts';

interface RunTexts {
  readonly outcome: string;
  readonly ledger: string;
  readonly patch: string;
  readonly statement: string;
}

let folder: string;
let github: GitHubDouble;
let git: Git;
let shipped: ShippedAssets;
let made: RunTexts;

beforeAll(async () => {
  folder = makeFolder();
  github = await startGitHub({ seed: withConfig(sampleFiles) });
  const model = await startModel(repairScript);
  const repo = join(folder, 'repo');
  github.clone(repo, 'main');
  const { log } = await runActionIn(folder, {
    github,
    modelUrl: model.url,
    workspace: repo,
    inputs: { task: `${sampleTask} See src/percent.js.`, 'max-rounds': '30' },
  });
  await model.close();
  const [name] = readdirSync(join(folder, 'runner')).filter(n => n.startsWith('photon-'));
  const read = (file: string) => readFileSync(join(folder, 'runner', name ?? log, file), 'utf8');
  made = {
    outcome: read('outcome.json'),
    ledger: read('ledger.jsonl'),
    patch: read('patch.diff'),
    statement: read('statement.json'),
  };
  shipped = openShipped(root);
  git = await openGit(repo, {
    scratch: makeFolder(),
    programs: findPrograms(process.env.PATH ?? '', []),
  });
});
afterAll(async () => {
  git.close();
  await github.close();
  discard(folder);
});

interface Named {
  /** The finding of `photon audit`: its code and its words. */
  readonly audit: string;
  /** What `photon verify` says does not hold. */
  readonly verify: readonly Check[];
}

async function judge(run: RunTexts): Promise<Named> {
  const { finding } = judgeLedger(run, shipped).report;
  const constitution = parseConstitution(shipped.constitution, 'constitution/photon.md');
  const checks = await verifyRun(
    { ...run, where: folder, bundle: undefined },
    { git, shipped: constitution },
  );
  return {
    audit: finding === undefined ? '' : `${finding.code}: ${finding.message}`,
    verify: checks.filter(c => c.holds === false),
  };
}

/** The code of the finding of `photon audit`, or of the error that it ends with. */
function judged(run: RunTexts): string | undefined {
  try {
    return judgeLedger(run, shipped).report.finding?.code;
  } catch (error) {
    return (error as { code: string }).code;
  }
}

/** The run with another ledger, whose new head outcome and statement name. */
function withLedger(change: (entries: Forgeable[]) => void): RunTexts {
  const ledger = forgeLedger(made.ledger, change);
  const last = (text: string) =>
    (JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { hash: string }).hash;
  const [before, after] = [last(made.ledger), last(ledger)];
  expect(after, 'the forgery changes the ledger').not.toBe(before);
  const renamed = (text: string) => text.replaceAll(before, after);
  return { ...made, ledger, outcome: renamed(made.outcome), statement: renamed(made.statement) };
}

const nth = (entries: readonly Forgeable[], tool: string) =>
  (entries.find(e => e.tool === tool) ?? expect.fail(`no ${tool}`)) as Record<string, unknown>;

type Json = Record<string, unknown>;

/** The run with another outcome, and the statement that follows from it. */
function withOutcome(change: (outcome: Outcome & Json, statement: Json) => void): RunTexts {
  const outcome = JSON.parse(made.outcome) as Outcome & Json;
  const statement = JSON.parse(made.statement) as Statement;
  change(outcome, statement.predicate as unknown as Json);
  return { ...made, outcome: JSON.stringify(outcome), statement: JSON.stringify(statement) };
}

it('finds nothing in the record as the run left it', async () => {
  expect(await judge(made)).toEqual({ audit: '', verify: [] });
});

describe('names what is forged in a ledger that was sealed again:', () => {
  it.each<[string, string, (entries: Forgeable[]) => void]>([
    [
      'raised limits',
      'LEDGER_OUTCOME: constitution.rules',
      e =>
        Object.assign(
          (nth(e, 'run.start') as unknown as { policy: { constitution: { limits: Json } } }).policy
            .constitution.limits,
          { active_skills: 99 },
        ),
    ],
    [
      'more violations than constitution and settings allow',
      'LEDGER_STATED: violations',
      e => Object.assign(nth(e, 'run.start').policy as Json, { violations: 9 }),
    ],
    [
      'longer paths of the task',
      'LEDGER_STATED: paths of the task',
      e => {
        const { taskPaths } = nth(e, 'run.evidence').initial as { taskPaths: string[] };
        taskPaths.push('src/secrets.js');
      },
    ],
    [
      'another text of the task',
      'LEDGER_STATED: text of the task',
      e => Object.assign(nth(e, 'run.task'), { text: 'Do something else.' }),
    ],
    [
      'emptied paths of a read',
      'LEDGER_STATED: paths',
      e => Object.assign(nth(e, 'read_code_block'), { paths: [] }),
    ],
    [
      'times that run backwards',
      'LEDGER_TIME',
      e => Object.assign(e.at(-2) ?? {}, { time: '2020-01-01T00:00:00.000Z' }),
    ],
    [
      'another caller in one entry',
      'LEDGER_STATED: caller',
      e => Object.assign(e.at(3) ?? {}, { caller: 'mallory' }),
    ],
    [
      'another model that replied',
      'LEDGER_OUTCOME: usage.models',
      e => Object.assign(nth(e, 'model.turn').facts as Json, { model: 'other' }),
    ],
    [
      'a fact of the outcome that no such entry may state',
      'LEDGER_STATED',
      e => Object.assign(nth(e, 'run.end').states as Json, { model: 'other' }),
    ],
    [
      'a flagged file less',
      'LEDGER_STATED: flagged files',
      e => Object.assign(nth(e, 'deliver').facts as Json, { flagged: 7 }),
    ],
  ])('%s', async (_, code, change) => {
    const { audit, verify } = await judge(withLedger(change));
    expect(audit).toContain(code);
    expect(verify.map(c => c.found).join('\n')).toContain(code.replace('LEDGER_OUTCOME: ', ''));
  });
});

describe('names what is forged in outcome and statement:', () => {
  it('every leaf of the outcome', async () => {
    for (const at of sample('leaves of the outcome', listLeaves(JSON.parse(made.outcome)), 20)) {
      const run = withOutcome(outcome => changeLeaf(outcome, at));
      const name = at.join('.');
      const codes = { schema: 'EVIDENCE_INVALID', 'ledger.head': 'LEDGER_SEAL' };
      const code = Object.hasOwn(codes, name) ? codes[name as keyof typeof codes] : undefined;
      expect(judged(run), name).toBe(code ?? 'LEDGER_OUTCOME');
      const { verify } = await judge(run).catch((error: { code: string }) => ({
        verify: [error.code],
      }));
      expect(verify, name).not.toEqual([]);
    }
  });

  it('every leaf of the statement', async () => {
    for (const at of sample(
      'leaves of the statement',
      listLeaves(JSON.parse(made.statement)),
      20,
    )) {
      const statement = JSON.parse(made.statement) as Json;
      changeLeaf(statement, at);
      const { audit, verify } = await judge({ ...made, statement: JSON.stringify(statement) });
      const name = at.join('.');
      expect(audit, name).toContain(`LEDGER_OUTCOME: statement: ${name}`);
      expect(verify.find(c => c.name === 'statement')?.found, name).toContain(name);
    }
  });

  it('every leaf of what the entries state, sealed again', async () => {
    const entries = made.ledger
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Forgeable);
    for (const [i, entry] of entries.entries())
      for (const at of listLeaves(entry.states ?? {})) {
        const run = withLedger(e => changeLeaf(e[i]?.states as Json, at));
        expect(
          judgeLedger(run, shipped).report.finding?.code,
          `${entry.tool} ${at.join('.')}`,
        ).toMatch(/^LEDGER_(OUTCOME|STATED|TIME)$/);
      }
  });
});

function listLeaves(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value).flatMap(([name, part]) => listLeaves(part, [...at, name]));
}

function changeLeaf(whole: object, at: readonly string[]): void {
  const parent = at.slice(0, -1).reduce<Json>((it, name) => it[name] as Json, whole as Json);
  const name = at.at(-1) ?? '';
  const value = parent[name];
  if (typeof value === 'number') parent[name] = value + 1;
  else if (typeof value === 'boolean') parent[name] = !value;
  else parent[name] = value === null ? 'forged' : `${String(value)}x`;
}
