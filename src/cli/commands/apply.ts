/** `photon apply`: writes the patch of a kept run into the work tree, also of one that is fetched from a pull request and kept. */
import { basename, join, resolve } from 'node:path';
import { parseOutcome, verifyRun } from '../../audit/verify-run.ts';
import { PhotonError } from '../../base/codes.ts';
import { hasPatch } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { parseConstitution } from '../../guard/policy/parse-constitution.ts';
import { findTop } from '../../process/programs.ts';
import { repoArgument } from '../../report/terminal/run-text.ts';
import { changesBetween, readCommit } from '../../workspace/commits/past-commits.ts';
import { type AppliedPatch, applyToCheckout } from '../../workspace/files/apply-to-checkout.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { isRunId, shortId } from '../../workspace/files/local-runs.ts';
import { runsFolder } from '../../workspace/files/locate.ts';
import { type RunTexts, runFileNames } from '../../workspace/files/read-foreign.ts';
import { writeAbsentFile } from '../../workspace/files/replace-file.ts';
import type { Git } from '../../workspace/git/git.ts';
import { readStoredSession } from '../../workspace/session/session-store.ts';
import { renderDiff } from '../../workspace/text/diff.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { withGit } from '../checkout.ts';
import { command, flag, resolveRepo, shared, value } from '../command.ts';
import { openKeptRun, requireUntracked } from '../kept-runs.ts';
import type { Terminal } from '../terminal.ts';
import { fetchRun, pullOfPage, readPull } from './verify.ts';

export const apply = command({
  options: {
    repo: shared.repo,
    from: value('<pull>', 'Number or address of a pull request. Its run is fetched from GitHub.'),
    'fetch-only': flag('With --from: only keep the run, for photon show and run --continue'),
    on: value('<owner/name>', 'Repository of the pull request on GitHub. It needs GITHUB_TOKEN.'),
  },
  usage: [
    [
      '[<run>] [flags]',
      'A run by its id, or as last, which is the default',
      ({ values, names: [named = 'last'] }, terminal) =>
        values.from === undefined
          ? applyRun(resolveRepo(values), named, terminal)
          : applyPull(
              resolveRepo(values),
              { named: values.from, on: values.on, fetchOnly: values['fetch-only'] ?? false },
              terminal,
            ),
    ],
  ],
  examples: ['photon apply', 'photon apply fd33a856', 'photon apply --from 12 --on octo-org/shop'],
});

async function applyRun(repo: string, named: string, terminal: Terminal): Promise<number> {
  const { checkout, id, files, outcome } = await openKeptRun(repo, named, terminal);
  const session = files.find(f => basename(f) === 'session.db');
  const hint = `Run photon show ${shortId(id)} to see how it ended.`;
  if (outcome === undefined || !hasPatch(outcome.status) || session === undefined)
    throw new PhotonError(
      'PATCH_MISSING',
      `Run ${shortId(id)} ended without a patch that can be applied.`,
      { hint },
    );
  const { changes, identity } = readStoredSession(session);
  if (identity.run !== id || changes.length === 0)
    throw new PhotonError('PATCH_MISSING', `${session} is not the session of run ${id}.`, { hint });
  writePatch(checkout, { run: id, changes }, terminal);
  return 0;
}

function writePatch(
  checkout: string,
  { run: id, changes }: Pick<AppliedPatch, 'run' | 'changes'>,
  terminal: Terminal,
): void {
  applyToCheckout(checkout, { run: id, at: terminal.now(), changes });
  terminal.print(
    `✓ applied the patch of run ${shortId(id)}: ${plural(changes.length, 'file')}\n${changes
      .map(c => `  ${c.path}\n`)
      .join('')}Take it back: photon undo${repoArgument(resolve('.'), checkout)}\n`,
  );
}

/** @throws PhotonError `PATCH_MISSING`, `CHECKOUT_MISMATCH`, and those of `keepRunOfPull`. */
async function applyPull(repo: string, pull: NamedPull, terminal: Terminal): Promise<number> {
  const { id, changes, noSession } = await keepRunOfPull(repo, pull, terminal);
  if (pull.fetchOnly) {
    const name = shortId(id);
    if (noSession !== undefined) terminal.tell(`${noSession}\n`);
    terminal.print(`✓ keeps run ${name}\nGo on with it: photon run --continue ${name}\n`);
    return 0;
  }
  if (changes.length === 0)
    throw new PhotonError('PATCH_MISSING', `Run ${shortId(id)} has no patch that can be applied.`);
  writePatch(findTop(repo), { run: id, changes }, terminal);
  return 0;
}

/** A pull request as a user names it: its number with `--on`, or its address. */
interface NamedPull {
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
async function keepRunOfPull(
  repo: string,
  named: NamedPull,
  terminal: Terminal,
): Promise<FetchedRun> {
  const checkout = findTop(repo);
  await requireUntracked(checkout, runsFolder, terminal);
  const { head, evidence } = await fetchEvidence(named, terminal);
  const { runId: id, base } = parseOutcome(evidence.outcome);
  if (!isRunId(id)) throw new PhotonError('EVIDENCE_INVALID', 'The run has no id.');
  const { changes, noSession } = await withGit(repo, terminal, async (git, scratch) => {
    const found = await readChanges(evidence, { git, head, terminal, commit: base.commit });
    return { changes: found, noSession: judgeSession(scratch, evidence, named.fetchOnly) };
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
 * @throws PhotonError if it is `wanted` and invalid (`SESSION_INVALID`), or contradicts the patch (`EVIDENCE_INVALID`).
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
