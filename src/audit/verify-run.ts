/** Compares what a run left behind: its outcome, ledger, patch and statement, with each other and with a repository. */

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { hasPatch, type Outcome } from '../base/outcome.ts';
import { parseAs, parseJson } from '../base/schema-issue.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import { hashJson } from '../memory/record.ts';
import { readCommit } from '../workspace/commits/past-commits.ts';
import type { RunTexts } from '../workspace/files/read-foreign.ts';
import type { Git } from '../workspace/git/git.ts';
import { auditLedger } from './audit.ts';
import { differingFields, type OutcomeSeal, sealOutcome } from './outcome-seal.ts';
import { inTotoStatement, predicateType, sha256 } from './statement.ts';

/** What is compared. */
export interface RunEvidence extends RunTexts {
  /** A Sigstore bundle, as `gh attestation download` and `actions/attest` write it. */
  readonly bundle: string | undefined;
}

/** One comparison. */
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
    | 'tests';
  /** Null if it could not be made. */
  readonly holds: boolean | null;
  /** What was compared, or what differs. */
  readonly found: string;
}

/** The parts of an outcome that are compared; the rest is compared with the statement as a whole. */
const outcomeSchema = z.looseObject({
  schema: z.literal(1),
  runId: z.string(),
  status: z.string(),
  base: z.looseObject({ ref: z.string(), commit: z.string() }),
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

/**
 * Parses the text of an `outcome.json`.
 * @throws PhotonError `EVIDENCE_INVALID`.
 */
export function parseOutcome(text: string): Outcome {
  const about = { code: 'EVIDENCE_INVALID', name: 'outcome.json' } as const;
  return parseAs(outcomeSchema, text, about) as unknown as Outcome;
}

export interface VerifyRunOptions {
  readonly git: Git;
  /** The constitution that ships with Photon. */
  readonly shipped: Constitution;
  /** The commit that must hold the patch, by its full id; default: the one that the outcome names. */
  readonly commit?: string;
}

/** All comparisons that need no network. */
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
  ];
}

function checkLedger(
  outcome: Outcome,
  text: string | undefined,
  shipped: Constitution,
): readonly Check[] {
  if (text === undefined)
    return [{ name: 'ledger', holds: false, found: 'ledger.jsonl is missing' }];
  const { head, entries: stated } = outcome.ledger;
  const report = auditLedger(text, { shipped, complete: true, head });
  const { finding } = report;
  if (finding !== undefined)
    return [
      {
        name: 'ledger',
        holds: false,
        found: `entry ${finding.seq}: ${finding.code}: ${finding.message}`,
      },
    ];
  const audited: Check = {
    name: 'ledger',
    holds: true,
    found: `${stated} entries follow the rules, and the seal of the last one is ${head.slice(0, 12)}`,
  };
  const entries = parseEntries(text);
  const differences = [
    ...compareWithLedger(outcome, entries),
    ...findUnsealed(outcome, text).map(field => `${field} is not what the ledger sealed`),
  ];
  if (report.entries !== stated)
    differences.push(`the ledger has ${report.entries} entries, the outcome says ${stated}`);
  const name = 'outcome';
  if (differences.length > 0)
    return [audited, { name, holds: false, found: differences.join('; ') }];
  if (sealIn(entries) === undefined) return [audited, ...onlyRecorded];
  return [audited, { name, holds: true, found: 'every field is as the ledger sealed it' }];
}

/** What can be said of a run whose version of Photon sealed no fields of the outcome. */
const onlyRecorded: readonly Check[] = [
  { name: 'outcome', holds: true, found: 'run, base, patch and ending are those of the ledger' },
  {
    name: 'outcome',
    holds: null,
    found: 'the ledger is of an earlier version, which sealed no other field',
  },
];

/** What an entry of the ledger says, as far as the outcome repeats it. */
interface LedgerLine {
  readonly run: string;
  readonly tool: string;
  readonly facts?: Readonly<Record<string, string | number | boolean>>;
  readonly outcome?: OutcomeSeal;
  readonly call?: {
    readonly events: readonly { readonly kind: string; readonly patchDigest?: string }[];
  };
}

function parseEntries(text: string): readonly LedgerLine[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as LedgerLine);
}

function sealIn(entries: readonly LedgerLine[]): OutcomeSeal | undefined {
  return entries.find(e => e.tool === 'run.end')?.outcome;
}

/** Names of the fields of an outcome that are not as its ledger sealed them; none if the ledger sealed no fields. */
export function findUnsealed(outcome: Outcome, ledger: string): readonly string[] {
  const entries = parseEntries(ledger);
  const seal = sealIn(entries);
  if (seal === undefined) return [];
  const { notes: sealedNotes = '', ...fields } = seal;
  const later = entries.flatMap(e => (e.tool === 'run.note' ? [e.outcome?.note ?? ''] : []));
  const notes = outcome.notes ?? [];
  const early = notes.slice(0, Math.max(0, notes.length - later.length));
  const same =
    hashJson(early) === sealedNotes &&
    isDeepStrictEqual(notes.slice(early.length).map(hashJson), later);
  const differing = differingFields(sealOutcome(outcome), fields);
  return [...differing, same ? undefined : 'notes'].filter(item => item !== undefined);
}

/** Each difference between the outcome and a ledger whose entries are valid. */
function compareWithLedger(outcome: Outcome, entries: readonly LedgerLine[]): string[] {
  const findFacts = (tool: string) => entries.findLast(e => e.tool === tool)?.facts ?? {};
  const [start, moved, end] = [findFacts('run.start'), findFacts('reapply'), findFacts('run.end')];
  const smaller = findFacts('minimise');
  const proven = entries
    .flatMap(e => e.call?.events ?? [])
    .findLast(e => e.kind === 'verified')?.patchDigest;
  const delivered = hasPatch(outcome.status) ? findFacts('deliver').tree : outcome.patch.tree;
  const pairs = [
    ['run', outcome.runId, entries[0]?.run],
    ['ending', outcome.status, end.status],
    ['base', outcome.base.commit, moved.base ?? start.base],
    ['constitution', outcome.constitution.sha256, start.constitution],
    ['tree', outcome.patch.tree, delivered],
    [
      'verified patch',
      outcome.verification?.patchDigest,
      moved.patch ?? (smaller.passed === true ? smaller.patch : proven),
    ],
  ] as const;
  const [, , , , , verified] = pairs;
  const compared = outcome.verification === null ? pairs.filter(p => p !== verified) : pairs;
  return compared
    .filter(([, stated, sealed]) => stated !== sealed)
    .map(
      ([what, stated, sealed]) =>
        `${what}: ${stated || 'none'}, and ${sealed ?? 'none'} in the ledger`,
    );
}

function checkPatch(outcome: Outcome, { patch, statement }: RunEvidence): Check {
  const name = 'patch';
  if (patch === undefined) return { name, holds: false, found: 'patch.diff is missing' };
  const { verification } = outcome;
  if (verification?.passed && verification.patchDigest !== outcome.patch.digest)
    return {
      name,
      holds: false,
      found: 'the verified patch is another one than the outcome names',
    };
  const own = sha256(patch);
  const stated = findSubject(parseJson(statement ?? ''));
  if (stated !== undefined && stated !== own)
    return { name, holds: false, found: `its sha256 is ${own}, and ${stated} in the statement` };
  return { name, holds: true, found: `sha256 ${own}` };
}

async function checkTree(
  { base, patch }: Outcome,
  diff: string | undefined,
  git: Git,
): Promise<Check> {
  const name = 'tree';
  if (diff === undefined || diff === '') return { name, holds: null, found: 'there is no patch' };
  const from = await readCommit(git, base.commit);
  if (from === undefined)
    return { name, holds: null, found: `the repository does not have the base ${base.commit}` };
  const made = await git.applyDiff({ tree: from.tree, diff });
  if (made === undefined)
    return { name, holds: false, found: 'the patch does not apply to the base' };
  return made === patch.tree
    ? { name, holds: true, found: `base and patch make ${made}` }
    : { name, holds: false, found: `base and patch make ${made}, not ${patch.tree}` };
}

async function checkCommit(
  { base, patch, delivered }: Outcome,
  { git, commit = delivered.commit }: VerifyRunOptions,
): Promise<Check> {
  const name = 'commit';
  if (commit === undefined) return { name, holds: null, found: 'the run made no commit' };
  if (delivered.commit !== undefined && delivered.commit !== commit)
    return { name, holds: false, found: `the run delivered ${delivered.commit}, not ${commit}` };
  const there = await readCommit(git, commit);
  if (there === undefined)
    return { name, holds: null, found: `the repository does not have ${commit}; fetch it` };
  if (there.tree !== patch.tree)
    return { name, holds: false, found: `its tree is ${there.tree}, not ${patch.tree}` };
  return there.parents.includes(base.commit)
    ? { name, holds: true, found: `${commit} is base and patch on ${base.commit.slice(0, 12)}` }
    : { name, holds: false, found: `${commit} does not follow the base ${base.commit}` };
}

function checkStatement(outcome: Outcome, { statement, patch }: RunEvidence): Check {
  const name = 'statement';
  if (statement === undefined)
    return hasPatch(outcome.status)
      ? { name, holds: false, found: 'statement.json is missing' }
      : { name, holds: null, found: 'a run without a delivered patch makes none' };
  const expected = JSON.parse(JSON.stringify(inTotoStatement(outcome, patch ?? '')));
  return isDeepStrictEqual(parseJson(statement), expected)
    ? { name, holds: true, found: 'it says what the outcome says' }
    : { name, holds: false, found: 'it differs from what outcome and patch say' };
}

/** Compares the signed content with the statement. Who signed it is for `gh attestation verify` to say. */
function checkBundle({ bundle, statement, patch }: RunEvidence): readonly Check[] {
  if (bundle === undefined) return [];
  const name = 'bundle';
  const own = parseJson(statement ?? '') as SignedContent | null;
  // one bundle a line, or a single one over several lines
  const whole = parseJson(bundle);
  const bundles = whole === null ? bundle.split('\n').map(parseJson) : [whole];
  const signed = bundles.map(signedContent).filter(s => s !== undefined);
  if (signed.length === 0) return [{ name, holds: false, found: 'it holds no statement' }];
  const holds = signed.some(
    s =>
      s.predicateType === predicateType &&
      isDeepStrictEqual(s.predicate, own?.predicate) &&
      (s.subject ?? []).some(each => each.digest?.sha256 === sha256(patch ?? '')),
  );
  const found = holds
    ? 'it was signed over this patch and this statement'
    : 'it was signed over another patch or another statement';
  return [{ name, holds, found }];
}

function signedContent(bundle: unknown): SignedContent | undefined {
  const { dsseEnvelope } = (bundle ?? {}) as { dsseEnvelope?: { payload?: unknown } };
  if (typeof dsseEnvelope?.payload !== 'string') return undefined;
  return parseJson(Buffer.from(dsseEnvelope.payload, 'base64').toString('utf8')) as SignedContent;
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
