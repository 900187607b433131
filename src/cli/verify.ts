/** `photon verify`: says whether the files of a run, its commit and its pull request belong together. */
import { type Check, parseOutcome, verifyRun } from '../audit/verify-run.ts';
import { PhotonError } from '../codes.ts';
import { splitRepository } from '../github/api/github.ts';
import { withCodes } from '../github/api/github-errors.ts';
import { parseConstitution } from '../guard/parse-constitution.ts';
import { findPrograms, findTop } from '../process/programs.ts';
import { removeFolder } from '../workspace/files/place-file.ts';
import { type RunTexts, readNamedFile, readRunFolders } from '../workspace/files/read-foreign.ts';
import { makeOutFolder } from '../workspace/files/run-folder.ts';
import { type Git, openGit } from '../workspace/git/git.ts';
import { resolveCommit } from '../workspace/git/git-process.ts';
import { openShipped } from '../workspace/trusted/shipped.ts';
import { parseArguments, repoOf } from './arguments.ts';
import type { CommandHandler, Terminal } from './terminal.ts';
import { openRepository } from './terminal-github.ts';
import { rerunTests } from './verify-rerun.ts';

const usage =
  'Usage: photon verify PR|COMMIT|FILE, such as photon verify 12 --on octo-org/shop, or photon verify photon-RUN/outcome.json.';

export const verifyCommand: CommandHandler = async (args, terminal) => {
  const { values, positionals } = parseArguments(
    args,
    ['repo', 'run', 'on', 'bundle'],
    ['rerun', 'json'],
  );
  const [named] = positionals;
  if (named === undefined || positionals.length > 1) throw new PhotonError('USAGE', usage);
  const repo = repoOf(values);
  const programs = findPrograms(terminal.env.PATH ?? '', [findTop(repo)]);
  const scratch = makeOutFolder(null);
  let git: Git | null = null;
  try {
    git = await openGit(repo, { scratch, programs });
    const place = { cwd: git.checkout, programs };
    const found = await gather({ named, values, terminal }, name => resolveCommit(name, place));
    const bundle = values.bundle === undefined ? null : readNamedFile(String(values.bundle));
    if (values.bundle !== undefined && bundle === null)
      throw new PhotonError('EVIDENCE_MISSING', `There is no ${values.bundle}.`);
    const evidence = { ...found.evidence, bundle };
    const { constitution } = openShipped(terminal.root);
    const checks = [
      ...(await verifyRun(evidence, {
        git,
        shipped: parseConstitution(constitution, 'constitution/photon.md'),
        ...(found.commit === undefined ? {} : { commit: found.commit }),
      })),
      ...found.checks,
    ];
    const outcome = parseOutcome(evidence.outcome);
    if (values.rerun === true)
      checks.push(await rerunTests({ outcome, patch: evidence.patch, repo, git, terminal }));
    terminal.print(
      values.json === true
        ? `${JSON.stringify({ run: outcome.runId, checks }, null, 2)}\n`
        : renderChecks(outcome.runId, checks),
    );
    return checks.some(c => c.holds === false) ? 1 : 0;
  } finally {
    git?.close();
    removeFolder(scratch);
  }
};

/** The files of a run, and what was compared to find them. */
interface Gathered {
  readonly evidence: RunTexts;
  /** The commit that must hold the patch, if the user or the pull request names one. */
  readonly commit?: string;
  readonly checks: readonly Check[];
}

interface VerifyRequest {
  readonly named: string;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly terminal: Terminal;
}

/** @throws PhotonError `EVIDENCE_MISSING`, `USAGE`, `GITHUB_*`. */
async function gather(
  { named, values, terminal }: VerifyRequest,
  commitOf: (name: string) => Promise<string | null>,
): Promise<Gathered> {
  const folder = String(values.run ?? '.photon/runs');
  const number = /^#?(\d{1,10})$/.exec(named)?.[1];
  if (number !== undefined && values.on !== undefined) {
    const pull = await readPull(values.on, Number(number), terminal);
    const evidence = pick(folder, o => o.delivered.pullRequestNumber === Number(number));
    if (evidence === null) throw missing(`pull request ${number}`, folder, pull.run);
    return { evidence, commit: pull.head, checks: [samePull(evidence, Number(number))] };
  }
  if (number !== undefined && number.length < 7)
    throw new PhotonError(
      'USAGE',
      `Name the repository of pull request ${number}: --on OWNER/NAME.`,
    );
  const folders = readRunFolders(named);
  if (folders.length === 1 && folders[0] !== undefined) return { evidence: folders[0], checks: [] };
  if (folders.length > 1)
    throw new PhotonError(
      'USAGE',
      `${named} holds ${folders.length} runs. Name the outcome.json of one.`,
    );
  const commit = await commitOf(named);
  if (commit === null)
    throw new PhotonError(
      'EVIDENCE_MISSING',
      `${named} is neither a commit of this repository nor a run.`,
    );
  const evidence = pick(folder, o => o.delivered.commit === commit);
  if (evidence === null) throw missing(`commit ${commit}`, folder, 'RUN');
  return { evidence, commit, checks: [] };
}

/** The newest run below a folder that fits. */
function pick(
  folder: string,
  fits: (outcome: ReturnType<typeof parseOutcome>) => boolean,
): RunTexts | null {
  return readRunFolders(folder).findLast(e => fits(parseOutcome(e.outcome))) ?? null;
}

function missing(what: string, folder: string, run: string): PhotonError {
  return new PhotonError('EVIDENCE_MISSING', `No run in ${folder} delivered ${what}.`, {
    hint: `Download the files of the run: gh run download ${run} --dir run. Then add --run run.`,
  });
}

/** The head of a pull request, and the id of the workflow run that its text names; `RUN` if it names none. */
async function readPull(on: unknown, number: number, terminal: Terminal) {
  const { repository, github: opening } = openRepository(on, terminal);
  const github = await opening;
  const { data } = await withCodes(github, () =>
    github.rest.pulls.get({ ...splitRepository(repository), pull_number: number }),
  );
  const run = /\/actions\/runs\/(\d{1,20})/.exec(data.body ?? '')?.[1] ?? 'RUN';
  return { head: data.head.sha, run };
}

function samePull({ outcome }: RunTexts, number: number): Check {
  const { delivered } = parseOutcome(outcome);
  const holds = delivered.pullRequestNumber === number;
  const found = holds
    ? 'the run delivered it'
    : `the run delivered pull request ${delivered.pullRequestNumber ?? 'none'}`;
  return { name: 'pull request', holds, found };
}

function renderChecks(run: string, checks: readonly Check[]): string {
  const word = (holds: Check['holds']) => (holds === null ? 'unknown' : holds ? 'holds' : 'WRONG');
  const wrong = checks.filter(c => c.holds === false).length;
  const rows = checks.map(
    ({ name, holds, found }) => `  ${word(holds).padEnd(8)} ${name.padEnd(13)} ${found}`,
  );
  const verdict =
    wrong === 0
      ? 'Nothing contradicts the outcome. Who made these files is for a signature to say: gh attestation verify.'
      : `${wrong} of ${checks.length} ${wrong === 1 ? 'check does' : 'checks do'} not hold. Do not trust this run.`;
  return `run ${run}\n${rows.join('\n')}\n${verdict}\n`;
}
