/** Compares what a run left behind: its outcome, ledger, patch and statement, with each other and with a repository. */
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { digest } from '../base/digest.ts';
import { hasPatch, type Outcome, passesTests } from '../base/outcome.ts';
import { isShallow, parseAs, parseJson, parseObject } from '../base/schema-issue.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import { type LedgerEntry, withoutTexts } from '../ledger/ledger.ts';
import { describeRun } from '../verify/describe-verification.ts';
import { readCommit } from '../workspace/commits/past-commits.ts';
import type { RunTexts } from '../workspace/files/read-foreign.ts';
import type { Git } from '../workspace/git/git.ts';
import { auditLedger } from './audit.ts';
import { deriveOutcome, listDifferences } from './derive-outcome.ts';
import { inTotoStatement, predicateType } from './statement.ts';

/** The first line about files that no signature ties to their author. */
export const unsigned = 'These files are not signed, so their author is unknown.';

interface RunEvidence extends RunTexts {
  /** Sigstore bundles whose signature holds, one a line. */
  readonly bundle: string | undefined;
}

export interface Check {
  readonly name:
    | 'ledger'
    | 'outcome'
    | 'patch'
    | 'tree'
    | 'commit'
    | 'pull request'
    | 'statement'
    | 'bundle'
    | 'signature'
    | 'tests'
    | 'proof'
    | 'walls';
  /** Null if it could not be made. */
  readonly holds: boolean | null;
  /** What was compared, or what differs. */
  readonly found: string;
}

const check = (name: Check['name'], holds: Check['holds'], found: string): Check => ({
  name,
  holds,
  found,
});

/** The parts of an outcome that are compared; the rest is compared with the statement as a whole. */
const outcomeSchema = z.looseObject({
  schema: z.literal(1),
  runId: z.string(),
  status: z.string(),
  base: z.looseObject({ ref: z.string(), commit: z.string(), merged: z.string().optional() }),
  constitution: z.looseObject({ sha256: z.string() }),
  patch: z.looseObject({
    files: z.array(z.looseObject({ path: z.string(), change: z.string() })),
    digest: z.string(),
    tree: z.string(),
  }),
  verification: z
    .looseObject({
      passed: z.boolean(),
      patchDigest: z.string(),
      regressions: z.array(z.string()),
      after: z.looseObject({ command: z.string() }).optional(),
    })
    .nullable(),
  ledger: z.looseObject({ entries: z.number(), head: z.string() }),
  delivered: z.looseObject({
    commit: z.string().optional(),
    pullRequestNumber: z.number().optional(),
  }),
});

/** Parses the text of an `outcome.json`. @throws PhotonError `EVIDENCE_INVALID`. */
export function parseOutcome(text: string): Outcome {
  const about = { code: 'EVIDENCE_INVALID', name: 'outcome.json' } as const;
  const schema = outcomeSchema.refine(isShallow, 'too many levels');
  return parseAs(schema, text, about) as unknown as Outcome;
}

interface VerifyRunOptions {
  readonly git: Git;
  /** The constitution that ships with Photon. */
  readonly shipped: Constitution;
  /** The commit that must hold the patch, by its full id; default: the one that the outcome names. */
  readonly commit?: string;
}

export async function verifyRun(
  evidence: RunEvidence,
  options: VerifyRunOptions,
): Promise<readonly Check[]> {
  const outcome = parseOutcome(evidence.outcome);
  return [
    ...checkLedger(outcome, evidence.ledger, options.shipped),
    checkPatch(outcome, evidence),
    await checkTree(outcome, evidence.patch, options.git),
    await checkCommit(outcome, options),
    checkStatement(outcome, evidence),
    ...checkBundle(evidence),
    ...checkClaims(outcome),
  ];
}

function checkLedger(
  outcome: Outcome,
  text: string | undefined,
  shipped: Constitution,
): readonly Check[] {
  if (text === undefined) return [check('ledger', false, 'ledger.jsonl is missing')];
  const { head, entries: stated } = outcome.ledger;
  const { finding } = auditLedger(text, { shipped, complete: true, head });
  if (finding !== undefined) {
    const { seq, code, message } = finding;
    return [check('ledger', false, `entry ${seq}: ${code}: ${message}`)];
  }
  const seal = `the seal of the last one is ${head.slice(0, 12)}`;
  const differences = listUnbacked(outcome, text);
  const found = differences.join('; ') || 'every field is as the ledger says';
  return [
    check('ledger', true, `${stated} entries follow the rules, and ${seal}`),
    check('outcome', differences.length === 0, found),
  ];
}

/** Each leaf of an outcome that is not as its ledger says; the ledger is valid. */
export function listUnbacked(outcome: object, ledger: string): readonly string[] {
  const entries = ledger
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as LedgerEntry);
  return listDifferences(withoutTexts(outcome), deriveOutcome(entries), 'in the ledger');
}

/** Each leaf of a statement that is not as outcome and patch say. */
export function listUnstated(
  outcome: Outcome,
  statement: string,
  patch: string | undefined,
): readonly string[] {
  const expected = JSON.parse(JSON.stringify(inTotoStatement(outcome, patch ?? '') ?? null));
  return listDifferences(parseJson(statement), expected, 'in the outcome');
}

/** What a record that holds says of tests, proof and walls; `unknown` for what the run did not show. */
function checkClaims({ verification, sandbox, status }: Outcome): readonly Check[] {
  if (!hasPatch(status)) return [];
  const { passed = false, after, proof } = verification ?? {};
  const counts = Object.entries(proof?.counts ?? {}).map(([kind, n]) => `${n} ${kind}`);
  const missing = sandbox.guarantees.filter(g => !g.holds).map(g => g.name);
  const isWalled = sandbox.guarantees.length > 0 && missing.length === 0;
  const how = passesTests(verification) ? 'they passed' : 'nothing fails that did not fail before';
  const tests = passed && after ? `${how}: ${describeRun(after)}` : 'no verification passed';
  const proved = counts.length === 0 ? 'no line was proved' : `changed lines: ${counts.join(', ')}`;
  const lacks = missing.length > 0 ? `${sandbox.launcher} lacks ${missing.join(', ')}` : '';
  const walls = isWalled
    ? `${sandbox.launcher}: ${sandbox.guarantees.map(g => g.name).join(', ')}`
    : lacks || 'commands ran without a probed sandbox';
  return [
    check('tests', passed || null, tests),
    check('proof', proof === undefined ? null : true, proved),
    check('walls', isWalled || null, walls),
  ];
}

function checkPatch(outcome: Outcome, { patch, statement }: RunEvidence): Check {
  const name = 'patch';
  if (patch === undefined) return check(name, false, 'patch.diff is missing');
  const { verification } = outcome;
  if (verification?.passed && verification.patchDigest !== outcome.patch.digest)
    return check(name, false, 'the verified patch is another one than the outcome names');
  const own = digest(patch);
  const stated = findSubject(parseJson(statement ?? ''));
  if (stated !== undefined && stated !== own)
    return check(name, false, `its sha256 is ${own}, and ${stated} in the statement`);
  return check(name, true, `sha256 ${own}`);
}

async function checkTree({ base, patch }: Outcome, diff: string | undefined, git: Git) {
  const name = 'tree';
  if (diff === undefined || diff === '') return check(name, null, 'there is no patch');
  if (base.merged !== undefined)
    return check(name, null, `the patch resolves a merge of ${base.merged}; see commit`);
  const from = await readCommit(git, base.commit);
  if (from === undefined)
    return check(name, null, `the repository does not have the base ${base.commit}`);
  const made = await git.applyDiff({ tree: from.tree, diff });
  if (made === undefined) return check(name, false, 'the patch does not apply to the base');
  return made === patch.tree
    ? check(name, true, `base and patch make ${made}`)
    : check(name, false, `base and patch make ${made}, not ${patch.tree}`);
}

async function checkCommit(
  { base, patch, delivered }: Outcome,
  { git, commit = delivered.commit }: VerifyRunOptions,
): Promise<Check> {
  const name = 'commit';
  if (commit === undefined) return check(name, null, 'the run made no commit');
  if (delivered.commit !== undefined && delivered.commit !== commit)
    return check(name, false, `the run delivered ${delivered.commit}, not ${commit}`);
  const there = await readCommit(git, commit);
  if (there === undefined)
    return check(name, null, `the repository does not have ${commit}; fetch it`);
  if (there.tree !== patch.tree)
    return check(name, false, `its tree is ${there.tree}, not ${patch.tree}`);
  const isMerged = base.merged === undefined || there.parents.includes(base.merged);
  return isMerged && there.parents.includes(base.commit)
    ? check(name, true, `${commit} is base and patch on ${base.commit.slice(0, 12)}`)
    : check(name, false, `${commit} does not follow the base ${base.commit}`);
}

function checkStatement(outcome: Outcome, { statement, patch }: RunEvidence): Check {
  const name = 'statement';
  if (statement === undefined)
    return hasPatch(outcome.status)
      ? check(name, false, 'statement.json is missing')
      : check(name, null, 'a run without a delivered patch makes none');
  const differences = listUnstated(outcome, statement, patch);
  const found = differences.join('; ') || 'it says what the outcome says';
  return check(name, differences.length === 0, found);
}

/** Compares what was signed with the statement, as far as a signature holds. */
function checkBundle({ bundle, statement, patch }: RunEvidence): readonly Check[] {
  if (bundle === undefined) return [];
  const name = 'bundle';
  const own = parseJson(statement ?? '') as SignedContent | null;
  const signed = bundle
    .split('\n')
    .map(parseJson)
    .map(signedContent)
    .filter(s => s !== undefined);
  if (signed.length === 0) return [check(name, false, 'it holds no statement')];
  const holds = signed.some(
    s =>
      s.predicateType === predicateType &&
      isDeepStrictEqual(s.predicate, own?.predicate) &&
      Array.isArray(s.subject) &&
      s.subject.some(each => each?.digest?.sha256 === digest(patch ?? '')),
  );
  const found = holds
    ? 'it was signed over this patch and this statement'
    : 'it was signed over another patch or another statement';
  return [check(name, holds, found)];
}

function signedContent(bundle: unknown): SignedContent | undefined {
  const { dsseEnvelope } = (bundle ?? {}) as { dsseEnvelope?: { payload?: unknown } };
  if (typeof dsseEnvelope?.payload !== 'string') return undefined;
  return parseObject(Buffer.from(dsseEnvelope.payload, 'base64').toString('utf8'));
}

interface SignedContent {
  readonly predicateType?: unknown;
  readonly predicate?: unknown;
  readonly subject?: readonly { readonly digest?: { readonly sha256?: unknown } }[];
}

function findSubject(statement: unknown): string | undefined {
  const { subject } = (statement ?? {}) as SignedContent;
  const digest = Array.isArray(subject) ? subject[0]?.digest?.sha256 : undefined;
  return typeof digest === 'string' ? digest : undefined;
}
