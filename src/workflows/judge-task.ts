/** Decides how a task ended, from the outcome of its run. */
import { type Outcome, ranPlainly } from '../base/outcome.ts';
import { pathClasses } from '../ecosystems/tests/path-classes.ts';
import { unjudged, unproven, withoutSandbox } from '../report/pull-request/workflow-pull.ts';
import type { TaskEnd } from './state.ts';
import type { WorkflowTask } from './workflow-file.ts';

/** How a task ended, the outputs it did not produce, and the files of its patch that need human review. */
interface JudgedTask {
  readonly end: TaskEnd;
  readonly missing: readonly string[];
  readonly flagged: readonly string[];
}

type JudgedOutcome = Pick<
  Outcome,
  'status' | 'code' | 'runId' | 'patch' | 'verification' | 'ledger' | 'sandbox'
>;

/**
 * A task is done when its patch is verified, or when it needs no change or only an answer, and all outputs exist. Flagged
 * files wait for a person, because they could control the runs of later tasks.
 * @param paths of all files, with the patch applied.
 */
export function judgeTask(
  task: WorkflowTask,
  outcome: JudgedOutcome,
  paths: ReadonlySet<string>,
): JudgedTask {
  const { status, code, runId, patch } = outcome;
  const facts = { run: runId, proof: describeProof(outcome), ledger: outcome.ledger.head };
  const failed = (why: string, missing: readonly string[] = []): JudgedTask => {
    return { end: { ...facts, status: 'FAILED', code: why }, missing, flagged: [] };
  };
  const done =
    status === 'written' ||
    (status === 'no_change' && code === 'PATCH_EMPTY') ||
    status === 'answered';
  if (!done) return failed(code);
  const missing = task.outputs.map(o => o.path).filter(path => !outputExists(path, paths));
  if (missing.length > 0) return failed('WORKFLOW_OUTPUT_MISSING', missing);
  const flagged = patch.files
    .filter(f => f.flag !== undefined || affectsLaterTasks(f.path, paths))
    .map(f => f.path);
  const doubted = (outcome.verification?.warnings ?? []).length > 0;
  const waits = task.review || flagged.length > 0 || doubted;
  const end = { ...facts, status: waits ? 'NEEDS_REVIEW' : 'COMPLETED', code } as const;
  return { end: flagged.length > 0 ? { ...end, flagged } : end, missing, flagged };
}

/** What proved a patch, as a short phrase, and whether it was made without a sandbox. */
function describeProof(outcome: JudgedOutcome): string {
  const proof = proofAlone(outcome);
  return ranPlainly(outcome) ? `${proof}${withoutSandbox}` : proof;
}

function proofAlone({ status, verification }: JudgedOutcome): string {
  if (status === 'no_change') return 'no change';
  if (status === 'answered') return 'answered';
  if (verification?.require === 'none' || verification === null) return unproven;
  if (verification.unjudged === true) return unjudged;
  if (!verification.passed) return 'failed';
  return verification.require === 'no-regression' ? 'no regression' : 'tests pass';
}

function outputExists(path: string, paths: ReadonlySet<string>): boolean {
  const folder = path.replace(/\/?$/, '/');
  if (!path.endsWith('/') && paths.has(path)) return true;
  for (const each of paths) if (each.startsWith(folder)) return true;
  return false;
}

/** Skills and test runner configuration: a single run does not flag them, but they affect later tasks. */
function affectsLaterTasks(path: string, paths: ReadonlySet<string>): boolean {
  if (pathClasses['@test-config'].some(p => p.test(path))) return true;
  const folders = path.split('/').slice(0, -1);
  const inSkill = folders.some((_, i) => {
    const folder = folders.slice(0, i + 1).join('/');
    return paths.has(`${folder}/SKILL.md`) || paths.has(`${folder}/skill.md`);
  });
  return inSkill || /(^|\/)SKILL\.md$/i.test(path);
}
