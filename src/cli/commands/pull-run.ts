/** The run that delivered a pull request: found on GitHub, fetched, and kept in a checkout. */
import { join } from 'node:path';
import { parseOutcome, verifyRun } from '../../audit/verify-run.ts';
import { PhotonError } from '../../base/codes.ts';
import { parseConstitution } from '../../guard/policy/parse-constitution.ts';
import { findPrograms, findTop } from '../../process/programs.ts';
import { changesBetween, readCommit } from '../../workspace/commits/past-commits.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { isRunId } from '../../workspace/files/local-runs.ts';
import { runsFolder } from '../../workspace/files/locate.ts';
import { type RunTexts, runFileNames } from '../../workspace/files/read-foreign.ts';
import { writeAbsentFile } from '../../workspace/files/replace-file.ts';
import { withScratchFolder } from '../../workspace/files/run-folder.ts';
import { type Git, openGit } from '../../workspace/git/git.ts';
import { readStoredSession } from '../../workspace/session/session-store.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { requireUntracked } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';
import { fetchRun, pullOfPage, readPull } from './verify.ts';

/** A pull request as a user names it: its number with `--on`, or its address. */
export interface NamedPull {
  readonly named: string;
  readonly on: string | undefined;
  /** True if the run is fetched for its session; without one, its patch is enough. */
  readonly fetchOnly: boolean;
}

/** A run of a pull request that the checkout keeps now. */
interface FetchedRun {
  readonly id: string;
  /** What its patch changes in its base. */
  readonly changes: readonly FileChange[];
  /** Why no session is kept, in a sentence; undefined if one is. */
  readonly noSession: string | undefined;
}

/**
 * Fetches the run of a pull request, and keeps it among the runs of the checkout. One that is there already stays as it
 * is.
 * @throws PhotonError `EVIDENCE_INVALID` unless its files belong together and to the head of the pull request;
 * `EVIDENCE_MISSING`, `USAGE`, `BACKUP_INVALID`, `GITHUB_*`.
 */
export async function keepRunOfPull(
  repo: string,
  named: NamedPull,
  terminal: Terminal,
): Promise<FetchedRun> {
  const checkout = findTop(repo);
  await requireUntracked(checkout, runsFolder, terminal);
  const { head, evidence } = await fetchEvidence(named, terminal);
  const { runId: id, base } = parseOutcome(evidence.outcome);
  if (!isRunId(id)) throw new PhotonError('EVIDENCE_INVALID', 'The run has no id.');
  const programs = findPrograms(terminal.env.PATH ?? '', [checkout]);
  const { changes, noSession } = await withScratchFolder(async scratch => {
    const git = await openGit(repo, { scratch, programs });
    try {
      const found = await readChanges(evidence, { git, head, terminal, commit: base.commit });
      return { changes: found, noSession: judgeSession(scratch, evidence, named.fetchOnly) };
    } finally {
      git.close();
    }
  });
  const { outcome, ledger, patch } = evidence;
  writeAbsentFile(checkout, `${runsFolder}/.gitignore`, '*\n');
  const files = {
    'outcome.json': outcome,
    'ledger.jsonl': ledger,
    'patch.diff': patch,
    'session.db': noSession === undefined ? evidence.session : undefined,
  };
  for (const [name, text] of Object.entries(files))
    if (text !== undefined) writeAbsentFile(checkout, `${runsFolder}/${id}/${name}`, text);
  return { id, changes, noSession };
}

/**
 * Why a foreign session is not kept, in a sentence; undefined if it holds the patch of its run.
 * @throws PhotonError if it is `wanted` and is none (`SESSION_INVALID`), or contradicts the patch (`EVIDENCE_INVALID`).
 */
function judgeSession(
  scratch: string,
  { outcome, patch, session }: RunTexts,
  wanted: boolean,
): string | undefined {
  if (session === undefined)
    return 'The artifact holds no session. A workflow keeps one if it uploads the whole folder of the run, as those in examples/ do.';
  writeAbsentFile(scratch, 'session.db', session);
  try {
    const { identity, changes } = readStoredSession(join(scratch, 'session.db'));
    const { runId, base } = parseOutcome(outcome);
    if (identity.run === runId && identity.commit !== base.commit)
      return 'The session of the run lies over an earlier base, so it is not kept.';
    if (identity.run === runId && renderDiff(changes) === patch) return undefined;
    throw new PhotonError('EVIDENCE_INVALID', 'The session does not hold the patch of the run.');
  } catch (error) {
    if (wanted || !(error instanceof PhotonError)) throw error;
    return `The session is not kept: ${error.message}`;
  }
}

async function fetchEvidence({ named, on }: NamedPull, terminal: Terminal) {
  const page = pullOfPage(named, terminal);
  const number = Number(page?.number ?? /^#?(\d{1,10})$/.exec(named)?.[1] ?? 0);
  const repository = page?.repository ?? on;
  if (number === 0 || repository === undefined)
    throw new PhotonError('USAGE', `${JSON.stringify(named)} names no pull request.`, {
      hint: 'Give its number and --on OWNER/NAME, or its address.',
    });
  const pull = await readPull(repository, number, terminal);
  const wanted = { ...pull, names: [...runFileNames, 'session.db'] };
  const evidence = await fetchRun(wanted, o => o.delivered.pullRequestNumber === number);
  if (evidence !== undefined) return { head: pull.head, evidence };
  const message = `No artifact of workflow run ${pull.run} holds the run of pull request ${number}.`;
  throw new PhotonError('EVIDENCE_MISSING', message);
}

interface Comparison {
  readonly git: Git;
  readonly head: string;
  readonly terminal: Terminal;
  /** The base of the run. */
  readonly commit: string;
}

async function readChanges(
  evidence: RunTexts,
  { git, head, terminal, commit }: Comparison,
): Promise<readonly FileChange[]> {
  const base = await readCommit(git, commit);
  if (base === undefined)
    throw new PhotonError('EVIDENCE_MISSING', `This repository does not have the base ${commit}.`, {
      hint: 'Fetch it: git fetch --all.',
    });
  const { constitution } = openShipped(terminal.root);
  const shipped = parseConstitution(constitution, 'constitution/photon.md');
  const checks = await verifyRun(
    { ...evidence, bundle: undefined },
    { git, shipped, commit: head },
  );
  const wrong = checks.find(c => c.holds === false);
  if (wrong !== undefined)
    throw new PhotonError('EVIDENCE_INVALID', `${wrong.name}: ${wrong.found}.`);
  const tree = await git.applyDiff({ tree: base.tree, diff: evidence.patch ?? '' });
  return tree === undefined ? [] : changesBetween(git, { from: base.tree, to: tree });
}
