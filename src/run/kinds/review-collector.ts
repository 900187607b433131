/** The findings of one review: checked against the diff, shown by tests on copies, each kept once. */
import { parse } from 'node:path/posix';
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import {
  type FindingProof,
  findingSeverities,
  type ReviewFinding,
  type ReviewResult,
} from '../../base/findings.ts';
import type { ReviewTask } from '../../base/task.ts';
import { isTestPath } from '../../ecosystems/tests/path-classes.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { FindingCollector, FindingDraft } from '../../tools/tool.ts';
import { judgeFailingTest, type TestVerdict } from '../../verify/judge/test-run.ts';
import type { Verifier } from '../../verify/verify.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import type { Session } from '../../workspace/session/session.ts';

interface ReviewCollectorOptions {
  readonly review: ReviewTask;
  readonly session: Session;
  readonly verifier: Pick<Verifier, 'run'> | undefined;
  /** The changes that turn the head into the base; undefined if they are unknown or too large. */
  readonly base: () => Promise<readonly FileChange[] | undefined>;
  readonly maxFindings: number;
  readonly showsOpinions: boolean;
  /** True: the diff is meant to repair what the base does wrong, so a test may fail there in another way. */
  readonly countsOtherFailures?: boolean;
}

/** A review while its run goes on. */
export interface ReviewCollector extends FindingCollector {
  /** Keeps a finding of Photon's own. It counts only on lines of the diff. */
  add(found: Omit<ReviewFinding, 'fingerprint'>, rule: string): Promise<void>;
  result(about: Pick<ReviewResult, 'head' | 'checksRan' | 'report'>): ReviewResult;
}

/** How many tests of the model run for each finding that the settings allow. */
const testsForFinding = 3;

/** Kinds of proof, the strongest first. */
const strength = ['test', 'check', 'mutant'];

/** Opens the collector of a review's findings. */
export function openReviewCollector(options: ReviewCollectorOptions): ReviewCollector {
  const { review, session, maxFindings, showsOpinions } = options;
  const kept = new Map<string, ReviewFinding>();
  const opinions = new Set<string>();
  let offDiff = 0;
  let tests = 0;
  const getRanges = (path: string) => review.lines.find(l => l.path === path)?.ranges ?? [];
  const isShown = ({ path, start, end }: Pick<ReviewFinding, 'path' | 'start' | 'end'>) =>
    getRanges(path).some(([from, to]) => start >= from && end <= to);
  const keep = async (
    found: Omit<ReviewFinding, 'fingerprint'>,
    rule: string,
  ): Promise<boolean> => {
    const fingerprint = await hashFinding(session, found, rule);
    if (kept.get(fingerprint)?.proof != null) return false;
    if (found.proof === null) opinions.add(fingerprint);
    else opinions.delete(fingerprint);
    kept.set(fingerprint, { fingerprint, ...found });
    return true;
  };
  return {
    async record({ test, ...draft }) {
      if (!isShown(draft)) {
        offDiff += 1;
        const shown = getRanges(draft.path).map(([from, to]) => `${from}-${to}`);
        return `Not recorded: these lines are not in the diff. Lines of ${draft.path} that are: ${shown.join(', ') || 'none'}.`;
      }
      let verdict: ProofResult = { proof: undefined, why: 'it has no test' };
      if (test !== undefined) {
        tests += 1;
        verdict =
          tests > maxFindings * testsForFinding
            ? { proof: undefined, why: 'this review has run all tests that it may' }
            : await showByTest(options, draft.path, test);
      }
      if (!(await keep({ ...draft, proof: verdict.proof ?? null }, 'finding')))
        return 'Not recorded again: these lines have a proven finding.';
      if (verdict.proof !== undefined) return 'Recorded as proven.';
      const next = showsOpinions ? '' : ' It is left out.';
      return `Recorded as an opinion, because ${verdict.why}.${next}`;
    },
    add: async (found, rule) => {
      if (isShown(found)) await keep(found, rule);
    },
    result: about => {
      const shown = [...kept.values()]
        .filter(f => f.proof !== null || showsOpinions)
        .sort(byWeight);
      return {
        ...about,
        findings: shown.slice(0, maxFindings),
        leftOut: {
          opinions: showsOpinions ? 0 : opinions.size,
          offDiff,
          beyondLimit: Math.max(0, shown.length - maxFindings),
        },
      };
    },
  };
}

function byWeight(a: ReviewFinding, b: ReviewFinding): number {
  const rankProof = ({ proof }: ReviewFinding) =>
    proof === null ? strength.length : strength.indexOf(proof.kind);
  const rankSeverity = (f: ReviewFinding) => findingSeverities.indexOf(f.severity);
  return rankSeverity(a) - rankSeverity(b) || rankProof(a) - rankProof(b);
}

/** The same rule about the same text of a file is the same finding, wherever its lines are now. */
async function hashFinding(
  session: Session,
  { path, start, end }: Pick<ReviewFinding, 'path' | 'start' | 'end'>,
  rule: string,
): Promise<string> {
  const lines = ((await session.plainText(path)) ?? '').split('\n').slice(start - 1, end);
  const text = lines.map(line => line.trim()).join('\n');
  return digest(`${path}\0${rule}\0${text}`).slice(0, 16);
}

interface ProofResult {
  readonly proof: FindingProof | undefined;
  readonly why: string;
}

/** Runs the test on a copy of the head, and if it fails there, on a copy of the base. */
async function showByTest(
  { session, verifier, base, countsOtherFailures }: ReviewCollectorOptions,
  path: string,
  test: NonNullable<FindingDraft['test']>,
): Promise<ProofResult> {
  const no = (why: string): ProofResult => ({ proof: undefined, why });
  const place = normalisePath(test.path);
  if (place === undefined || place !== test.path || !isTestPath(place))
    return no('the path of the test is not that of a test');
  if ((await session.state(place)) !== undefined || (await session.above(place)) !== undefined)
    return no('the path of the test is taken');
  if (verifier === undefined) return no('there is no test command');
  const toBase = await base();
  if (toBase === undefined || toBase.some(c => c.path === place))
    return no('the base of the pull request cannot be compared with the test');
  const bytes = Buffer.from(test.content.endsWith('\n') ? test.content : `${test.content}\n`);
  const added: FileChange = { path: place, before: undefined, after: { mode: '100644', bytes } };
  const changed = toBase.find(c => c.path === path);
  let verdict: TestVerdict;
  try {
    const head = await verifier.run([]);
    const headWithTest = await verifier.run([added]);
    const judge = (other: readonly FileChange[], isNewFile: boolean) => {
      const baseWithTest = () => verifier.run([...other, added]);
      const runs = { head, headWithTest, isNewFile, baseWithTest, countsOtherFailures };
      return judgeFailingTest({ ...runs, stem: parse(place).name });
    };
    verdict = await judge(toBase, changed !== undefined && changed.after === undefined);
    // where other words count, they must not be those of chance or of time
    const isSure = verdict.proven === undefined || countsOtherFailures !== true;
    if (!isSure && (await judge([], false)).proven !== undefined)
      return no('it ends in another way when it runs again on the same files');
  } catch (error) {
    const cannotRun = error instanceof PhotonError && unrunnable.has(error.code);
    if (!cannotRun) throw error;
    return no(`the tests cannot run (${error.code})`);
  }
  return verdict.proven === undefined
    ? no(verdict.why)
    : {
        proof: { kind: 'test', path: place, text: test.content, base: verdict.proven },
        why: '',
      };
}

const unrunnable: ReadonlySet<string> = new Set(['TEST_COMMAND_UNRUNNABLE', 'SETUP_FAILED']);
