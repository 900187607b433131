/** `photon verify`: says whether the files of a run, its commit and its pull request belong together. */
import { join, posix } from 'node:path';
import { checkSignature } from '../../audit/check-signature.ts';
import { predicateType } from '../../audit/statement.ts';
import { type Check, parseOutcome, unsigned, verifyRun } from '../../audit/verify-run.ts';
import { PhotonError } from '../../base/codes.ts';
import { digest } from '../../base/digest.ts';
import type { Outcome } from '../../base/outcome.ts';
import { plural } from '../../base/plural.ts';
import { parseConstitution } from '../../guard/policy/parse-constitution.ts';
import { fetchArtifacts, fetchBundles } from '../../hosts/github/api/run-artifacts.ts';
import { isRunId } from '../../workspace/files/local-runs.ts';
import { runsFolder } from '../../workspace/files/locate.ts';
import {
  type RunTexts,
  readNamedFile,
  readRunFolders,
  runFileNames,
  runsAmong,
} from '../../workspace/files/read-foreign.ts';
import { readZip } from '../../workspace/files/read-zip.ts';
import { resolveCommit } from '../../workspace/git/git-process.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { withGit } from '../checkout.ts';
import { type Arguments, command, flag, resolveRepo, shared, value } from '../command.ts';
import { findRunPath, requireUntracked } from '../kept-runs.ts';
import { findTerminalPrograms, type Terminal } from '../terminal.ts';
import { findServer, openRepository } from '../terminal-github.ts';

const options = {
  repo: shared.repo,
  run: value('<dir>', 'Folder that holds the files of runs (default: .photon/runs)'),
  on: value('<owner/name>', 'Repository of the pull request on GitHub. It needs GITHUB_TOKEN.'),
  bundle: value(
    '<file>',
    'Signed bundle to check (default: those that GitHub serves for the patch)',
  ),
  'trusted-root': value(
    '<file>',
    'Roots of signatures, as gh attestation trusted-root prints them',
  ),
  json: flag('Print the checks as JSON'),
};

export const verify = command({
  options,
  usage: [
    ['<outcome.json> [flags]', 'Check the run in that folder', checkRun],
    ['<commit> --run <dir>', 'Find the run that delivered the commit', checkRun],
    ['<number> --on <owner/name>', 'Fetch the run of a pull request from GitHub', checkRun],
  ],
  examples: ['photon verify photon-20261123/outcome.json', 'photon verify 12 --on octo-org/shop'],
});

interface VerifyRequest {
  readonly named: string;
  readonly folder: string;
  readonly values: Arguments<typeof options>['values'];
  readonly terminal: Terminal;
}

async function checkRun(
  { values, names: [named = ''] }: Arguments<typeof options>,
  terminal: Terminal,
): Promise<number> {
  const repo = resolveRepo(values);
  return withGit(repo, terminal, async git => {
    const place = { cwd: git.checkout, programs: findTerminalPrograms(terminal, repo) };
    const folder = values.run ?? join(git.checkout, runsFolder);
    // files that came with the clone were made by anyone
    if (values.run === undefined) await requireUntracked(git.checkout, runsFolder, terminal);
    const found = await gather({ named, folder, values, terminal }, name =>
      resolveCommit(name, place),
    );
    const { constitution, sigstoreRoot } = openShipped(terminal.root);
    const bundle = values.bundle === undefined ? found.bundle : readFile(values.bundle);
    const rootFile = values['trusted-root'];
    const signature =
      bundle === undefined
        ? undefined
        : checkSignature(bundle, {
            root: rootFile === undefined ? sigstoreRoot() : readFile(rootFile),
            repository: found.repository ?? parseOutcome(found.evidence.outcome).repository,
            server: findServer(terminal.env),
          });
    const evidence = { ...found.evidence, bundle: signature?.signed };
    const ofSignature = signature === undefined ? [] : [signature.check];
    const checks = [
      ...ofSignature,
      ...(await verifyRun(evidence, {
        git,
        shipped: parseConstitution(constitution, 'constitution/photon.md'),
        commit: found.commit,
      })),
      ...found.checks,
    ];
    const outcome = parseOutcome(evidence.outcome);
    terminal.print(
      values.json
        ? `${JSON.stringify({ run: outcome.runId, files: evidence.where, signed: isSigned(checks), checks }, null, 2)}\n`
        : renderChecks(outcome.runId, evidence, checks),
    );
    return checks.some(c => c.holds === false) ? 1 : 0;
  });
}

/** The files of a run, and what was compared to find them. */
interface RunFiles {
  readonly evidence: RunTexts;
  /** The commit that must hold the patch, if the user or the pull request names one. */
  readonly commit?: string;
  readonly checks: readonly Check[];
  /** The bundles that GitHub serves for the patch, one a line, or undefined. */
  readonly bundle?: string | undefined;
  /** The repository whose workflow must have signed, if the user named it. */
  readonly repository?: string;
}

/** @throws PhotonError `EVIDENCE_MISSING`. */
function readFile(path: string): string {
  const text = readNamedFile(path);
  if (text === undefined) throw new PhotonError('EVIDENCE_MISSING', `There is no ${path}.`);
  return text;
}

/** @throws PhotonError `EVIDENCE_MISSING`, `USAGE`, `GITHUB_*`. */
async function gather(
  { named, folder, values, terminal }: VerifyRequest,
  commitOf: (name: string) => Promise<string | undefined>,
): Promise<RunFiles> {
  const number = /^#?(\d{1,10})$/.exec(named)?.[1];
  const { on } = values;
  if (number !== undefined && on !== undefined) {
    const isIt = (o: Outcome) => o.delivered.pullRequestNumber === Number(number);
    const pull = await readPull(on, Number(number), terminal);
    const kept = pick(readRunFolders(folder), isIt);
    if (kept === undefined && values.run !== undefined)
      throw missing(`pull request ${number}`, folder, pull.run);
    const evidence = kept ?? (await fetchRun(pull, isIt));
    if (evidence === undefined)
      throw missing(`pull request ${number}`, `the artifacts of workflow run ${pull.run}`, 'RUN');
    const patch = values.bundle === undefined ? evidence.patch : undefined;
    const bundles =
      patch === undefined
        ? []
        : await fetchBundles(pull.github, {
            digest: digest(patch),
            predicateType,
          });
    const bundle = bundles.length === 0 ? undefined : bundles.join('\n');
    const checks = [samePull(evidence, Number(number))];
    return { evidence, commit: pull.head, checks, bundle, repository: on };
  }
  if (number !== undefined && number.length < 7)
    throw new PhotonError(
      'USAGE',
      `Name the repository of pull request ${number}: --on OWNER/NAME.`,
    );
  // the short id of a run may be that of a commit
  const isRun = named === 'last' || isRunId(named);
  const folders = readRunFolders(isRun ? await findRunPath(named, terminal, values) : named);
  if (folders.length === 1 && folders[0] !== undefined) return { evidence: folders[0], checks: [] };
  if (folders.length > 1)
    throw new PhotonError(
      'USAGE',
      `${named} holds ${folders.length} runs. Name the outcome.json of one.`,
    );
  const commit = await commitOf(named);
  // a short id that no commit has is that of a run
  const path = commit === undefined ? await findRunPath(named, terminal, values) : named;
  if (path !== named) return gather({ named: path, folder, values, terminal }, commitOf);
  if (commit === undefined)
    throw new PhotonError(
      'EVIDENCE_MISSING',
      `${named} is neither a commit of this repository nor a run.`,
    );
  const evidence = pick(readRunFolders(folder), o => o.delivered.commit === commit);
  if (evidence === undefined) throw missing(`commit ${commit}`, folder, 'RUN');
  return { evidence, commit, checks: [] };
}

function pick(runs: readonly RunTexts[], fits: (outcome: Outcome) => boolean) {
  return runs.findLast(e => fits(parseOutcome(e.outcome)));
}

const maxUnpacked = { maxEntries: 2000, maxBytes: 256 * 1024 * 1024 } as const;

/** The run that fits, from the artifacts of the workflow run that a pull request names; undefined if none has it. */
async function fetchRun(
  { run, github }: Awaited<ReturnType<typeof readPull>>,
  fits: (outcome: Outcome) => boolean,
): Promise<RunTexts | undefined> {
  if (run === 'RUN')
    throw new PhotonError('EVIDENCE_MISSING', 'The pull request names no workflow run.', {
      hint: 'Give the folder of the files of its run with --run.',
    });
  const isWanted = (path: string) => runFileNames.some(name => name === posix.basename(path));
  for await (const zip of fetchArtifacts(github, Number(run))) {
    const found = pick(runsAmong(readZip(zip, { ...maxUnpacked, wanted: isWanted })), fits);
    if (found !== undefined)
      return { ...found, where: `${found.where} of an artifact of workflow run ${run}` };
  }
  return undefined;
}

function missing(what: string, folder: string, run: string): PhotonError {
  return new PhotonError('EVIDENCE_MISSING', `No run in ${folder} delivered ${what}.`, {
    hint: `Download the files of the run: gh run download ${run} --dir run. Then add --run run.`,
  });
}

/** The head of a pull request, and the id of the workflow run that its text names; `RUN` if it names none. */
async function readPull(on: string, number: number, terminal: Terminal) {
  const { repository, github } = await openRepository(on, terminal);
  const { data } = await github.rest.pulls.get({
    ...github.where,
    pull_number: number,
  });
  const run = /\/actions\/runs\/(\d{1,20})/.exec(data.body ?? '')?.[1] ?? 'RUN';
  return { repository, github, head: data.head.sha, run };
}

function samePull({ outcome }: RunTexts, number: number): Check {
  const { delivered } = parseOutcome(outcome);
  const holds = delivered.pullRequestNumber === number;
  const found = holds
    ? 'the run delivered it'
    : `the run delivered pull request ${delivered.pullRequestNumber ?? 'none'}`;
  return { name: 'pull request', holds, found };
}

const isSigned = (checks: readonly Check[]) =>
  checks.some(c => c.name === 'signature' && c.holds === true);

function renderChecks(run: string, { where }: RunTexts, checks: readonly Check[]): string {
  const word = (holds: Check['holds']) => (holds === null ? 'unknown' : holds ? 'holds' : 'WRONG');
  const wrong = checks.filter(c => c.holds === false).length;
  const rows = checks.map(
    ({ name, holds, found }) => `  ${word(holds).padEnd(8)} ${name.padEnd(13)} ${found}`,
  );
  const verdict =
    wrong === 0
      ? 'Nothing contradicts the outcome.'
      : `${wrong} of ${plural(checks.length, 'check')} ${wrong === 1 ? 'does' : 'do'} not hold. Do not trust this run.`;
  const first = isSigned(checks) ? '' : `${unsigned}\n`;
  return `${first}run ${run}, files in ${where}\n${rows.join('\n')}\n${verdict}\n`;
}
