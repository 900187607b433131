/** Proves a patch after its verdict: what the tests show of it, and whether a stricter requirement accepts that. */
import { PhotonError } from '../base/codes.ts';
import {
  describeIdleHunks,
  formatLines,
  type LineProof,
  type PatchProof,
} from '../base/findings.ts';
import type { Verification } from '../base/outcome.ts';
import { listFirst } from '../base/plural.ts';
import type { FileChange } from '../workspace/files/change.ts';
import { describeVerification } from './describe-verification.ts';
import { nothingFailed, type VerifyCode } from './judge/judge.ts';
import type { TestRun } from './judge/test-run.ts';

/** A patch that passes, and the runs that showed it. */
export interface PassedPatch {
  /** Changes outside of tests and of what tests run with, and the others. */
  readonly source: readonly FileChange[];
  readonly tests: readonly FileChange[];
  readonly before: TestRun;
  readonly after: TestRun;
  readonly flaky: readonly string[];
  /** Milliseconds that the verdict took beside the run before the patch and one with it. */
  readonly ownMs: number;
  /** Runs the test command on the base with these changes, for at most so many milliseconds. */
  readonly withChanges: (changes: readonly FileChange[], ms: number) => Promise<TestRun>;
  /**
   * The same with the tests of the patch alone, where the runner can select them; undefined if they cannot be selected.
   * What passes there need not be all.
   */
  readonly testsAlone: (ms: number) => Promise<TestRun | undefined>;
}

export interface VerificationResult {
  readonly verification: Verification;
  /** `BASE_CONFLICT` if no tool makes a lock file of the merge with the patch. */
  readonly code: VerifyCode | 'BASE_CONFLICT' | undefined;
  /** For the model: the runs, how they ended, and the end of the output. */
  readonly message: string;
  /** What the model must have read before it can finish; absent without such news. */
  readonly news?: string;
}

interface ProvingOptions {
  readonly require: Exclude<Verification['require'], 'none'>;
  /** Measures what the tests show of a patch that passes; undefined if the settings turn it off. */
  readonly measure: ((patch: PassedPatch) => Promise<PatchProof>) | undefined;
  readonly log: (line: string) => void;
}

/** What the test runs alone must show; the rest of a stricter requirement is judged by the proof. */
export function chooseBasis(require: ProvingOptions['require']): 'pass' | 'no-regression' {
  return require === 'no-regression' ? require : 'pass';
}

/** The result of a verification that passed, with the proof of its patch if there is one. */
export async function proveVerdict(
  options: ProvingOptions,
  verification: Verification,
  patch: PassedPatch,
): Promise<VerificationResult> {
  const proof = await measureAfter(options, patch);
  if (proof !== undefined) return withProof({ ...verification, proof });
  const message = describeVerification(verification);
  return { verification, code: undefined, message };
}

/** The proof of a patch that passed; undefined if it was stopped or broke down, unless it is required: the verdict stands. */
async function measureAfter(
  { measure, require, log }: ProvingOptions,
  patch: PassedPatch,
): Promise<PatchProof | undefined> {
  try {
    return await measure?.(patch);
  } catch (error) {
    if (!(error instanceof PhotonError) || chooseBasis(require) !== require) throw error;
    log(`The proof ended early, and the verdict stands: ${error.message}`);
    return undefined;
  }
}

/** A verification that passed, with its proof; the stricter requirements may not accept it. */
function withProof(judged: Verification & { proof: PatchProof }): VerificationResult {
  const { require, proof } = judged;
  // a new test that fails without the patch is the failing test that the task speaks of
  const repairs = proof.newTests.some(test => test.failsOnBase);
  const warnings = (judged.warnings ?? []).filter(w => !(repairs && w === nothingFailed));
  const verification = { ...judged, warnings };
  const weak = weakLines(proof, require);
  if (weak.length === 0)
    return {
      verification,
      code: undefined,
      message: `${describeVerification(verification)}\n${describeProof(proof)}`.trimEnd(),
    };
  const places = weak
    .slice(0, 20)
    .map(({ path, start, end, shows }) => `${path}:${start}-${end} ${shows}`);
  const cut = proof.cut === '' ? '' : ` Not everything was looked at: ${proof.cut}.`;
  const why = `verify is ${require}, and the tests show too little of ${weak.length} parts of the patch: ${places.join('; ')}.${cut} Add tests for these lines.`;
  const failed = { ...verification, passed: false, code: 'VERIFY_UNPROVEN', reason: why } as const;
  return {
    verification: failed,
    code: 'VERIFY_UNPROVEN',
    message: describeVerification(failed),
  };
}

/** The lines of which the tests show less than `require` wants. */
export function weakLines(
  { lines }: PatchProof,
  require: Verification['require'],
): PatchProof['lines'] {
  const accepted: Partial<Record<Verification['require'], readonly LineProof[]>> = {
    executed: ['decided', 'executed'],
    decided: ['decided'],
  };
  const wanted = accepted[require];
  return wanted === undefined ? [] : lines.filter(l => !wanted.includes(l.shows));
}

/** At most five short lines: what the tests show, which lines they show little of, and what to do about it. */
export function describeProof({ counts, hunks, mutants, lines, flaky, cut }: PatchProof): string {
  const kinds = Object.entries(counts).flatMap(([kind, n]) => (n === 0 ? [] : [`${n} ${kind}`]));
  const unexecuted = lines.filter(l => l.shows === 'unexecuted');
  const unknown = lines.filter(l => l.shows === 'unknown');
  const [survivor] = mutants.survived;
  const idle = describeIdleHunks(hunks);
  return [
    kinds.length === 0 ? undefined : `Changed lines: ${kinds.join(', ')}.`,
    unexecuted.length === 0
      ? undefined
      : `No test runs ${listFirst(unexecuted, formatLines)}: test them, or leave out what the task does not need.`,
    unknown.length === 0
      ? undefined
      : `Photon cannot judge ${listFirst(unknown, formatLines)}${cut === '' ? '' : `, since ${cut}`}. There is nothing to do about it.`,
    survivor === undefined
      ? undefined
      : `No test notices if ${survivor.path}:${survivor.line} becomes: ${survivor.after}`,
    idle && `${idle}: test what changes behaviour, and leave out what the task does not need.`,
    flaky.length === 0 ? undefined : `Flaky: ${flaky.slice(0, 3).join('; ')}.`,
  ]
    .filter(item => item !== undefined)
    .slice(0, 5)
    .join('\n');
}
