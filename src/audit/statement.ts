/** The statement about a run in the form of in-toto, to be signed: what the patch is, and what was run to prove it. Pure. */
import { digest } from '../base/digest.ts';
import type { PatchProof } from '../base/findings.ts';
import {
  type DeliveryResult,
  hasPatch,
  type Outcome,
  type VerificationRun,
} from '../base/outcome.ts';

/** Names the form of the predicate. A change that readers must know of gets another number. */
export const predicateType = 'https://github.com/photon/agent-action/run/v1';

/** An in-toto statement, version 1 (https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md). */
export interface Statement {
  readonly _type: 'https://in-toto.io/Statement/v1';
  /** The file `patch.diff`, and the commit that holds the patch if one was delivered. */
  readonly subject: readonly {
    readonly name: string;
    readonly digest: Readonly<Record<string, string>>;
  }[];
  readonly predicateType: typeof predicateType;
  readonly predicate: RunPredicate;
}

/** Fields of the outcome that the statement repeats as they are. */
const stated = [
  'photon',
  'runId',
  'page',
  'task',
  'repository',
  'base',
  'status',
  'code',
  'startedAt',
  'durationMs',
  'constitution',
  'prompt',
  'instructions',
  'engine',
  'model',
  'provider',
  'decisions',
  'sandbox',
  'ledger',
] as const;

/** What the statement says of the run: facts of its outcome, without texts of the model, a file or a command's output. */
interface RunPredicate extends Pick<Outcome, (typeof stated)[number]> {
  readonly patch: {
    /** Photon's own digest of the changes, which the ledger names. */
    readonly digest: string;
    /** The git tree that the patch makes of the base. */
    readonly tree: string;
    readonly files: readonly { readonly path: string; readonly change: string }[];
  };
  /** Null if the settings waive verification. */
  readonly verification: StatedVerification | null;
  readonly delivered: Pick<DeliveryResult, 'kind' | 'branch' | 'commit' | 'pullRequestNumber'>;
}

interface StatedVerification {
  readonly require: string;
  readonly passed: boolean;
  /** Digest of the changes that were verified. */
  readonly patchDigest: string;
  readonly regressions: readonly string[];
  readonly warnings: readonly string[];
  readonly proof?: PatchProof;
  /** The runs of the test command: before the patch, with it, with it and the tests of the base. */
  readonly baseline?: StatedRun;
  readonly after?: StatedRun;
  readonly withBaseTests?: StatedRun;
}

type StatedRun = Omit<VerificationRun, 'outputTail' | 'failedCases'>;

/** The statement about a run; `diff` is the text of its `patch.diff`. Null for a run that delivered no patch. */
export function inTotoStatement(outcome: Outcome, diff: string): Statement | undefined {
  const { commit } = outcome.delivered;
  if (!hasPatch(outcome.status) || diff === '') return undefined;
  const algorithm = commit?.length === 64 ? 'gitCommitSha256' : 'gitCommit';
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      { name: 'patch.diff', digest: { sha256: digest(diff) } },
      commit === undefined ? undefined : { name: 'commit', digest: { [algorithm]: commit } },
    ].filter(item => item !== undefined),
    predicateType,
    predicate: buildPredicate(outcome),
  };
}

function buildPredicate(outcome: Outcome): RunPredicate {
  const { patch, delivered } = outcome;
  const { kind, branch, commit, pullRequestNumber } = delivered;
  return {
    ...pick(outcome, stated),
    patch: {
      digest: patch.digest,
      tree: patch.tree,
      files: patch.files.map(({ path, change }) => ({ path, change })),
    },
    verification: summariseVerification(outcome) ?? null,
    delivered: { kind, branch, commit, pullRequestNumber },
  };
}

function pick<T, K extends keyof T>(whole: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map(name => [name, whole[name]])) as Pick<T, K>;
}

function summariseVerification({ verification }: Outcome): StatedVerification | undefined {
  if (verification === null) return undefined;
  const { baseline, after, withBaseTests, warnings = [] } = verification;
  return {
    ...pick(verification, ['require', 'passed', 'patchDigest', 'regressions', 'proof']),
    warnings,
    baseline: baseline && withoutOutput(baseline),
    after: after && withoutOutput(after),
    withBaseTests: withBaseTests && withoutOutput(withBaseTests),
  };
}

function withoutOutput({
  outputTail: _outputTail,
  failedCases: _failedCases,
  ...run
}: VerificationRun): StatedRun {
  return run;
}
