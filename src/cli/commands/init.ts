/** `photon init`: finds out what a repository is, and writes workflow, configuration and constitution for it, or proposes them in a pull request. */
import { loadPolicy, loadSettings } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { pathMatcher } from '../../base/path-patterns.ts';
import { type Detection, detectAll } from '../../ecosystems/commands/detect.ts';
import { loadProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { describeWitness } from '../../ecosystems/shared/tool-row.ts';
import { findDefaultBranch, openRemoteFiles } from '../../hosts/github/api/remote-tree.ts';
import { examineRepository, openOnboarding } from '../../hosts/github/maintenance/onboarding.ts';
import { detectLanguage } from '../../navigation/languages.ts';
import { findTop } from '../../process/programs.ts';
import {
  listSteps,
  type Onboarding,
  onboardingTitle,
  type PullSetting,
  renderOnboarding,
} from '../../report/pull-request/onboarding.ts';
import {
  permissions,
  renderStarter,
  type Starter,
  type StarterFile,
  starterPaths,
} from '../../report/pull-request/starter.ts';
import { describePorts, renderDetection } from '../../report/terminal/doctor-text.ts';
import { writeAbsentFile } from '../../workspace/files/replace-file.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { examineProject, resolveCheckout } from '../checkout.ts';
import { type Arguments, command, flag, resolveRepo, shared, value } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { findServer, openRepository, repositoryName } from '../terminal-github.ts';

const commandOptions = {
  repo: shared.repo,
  on: value('<owner/name>', 'Repository on GitHub (default: the remote origin)'),
  'open-pull-request': flag(
    'Write nothing here: open a pull request on GitHub, or update it. It needs GITHUB_TOKEN, of an App or a person',
  ),
  model: value(
    '<name>',
    'Model behind an API key (default: PHOTON_MODEL; without it the embedded engine, which needs no key)',
  ),
  schedule: flag('Add a weekly run with a first maintenance task'),
  ref: value('<ref>', 'Version of Photon: tag, branch or, safest, a commit (default: v2)'),
  'dry-run': flag('Print the files without writing them'),
};

export const init = command({
  options: commandOptions,
  usage: [['[flags]', '', start]],
  examples: [
    'photon init --dry-run',
    'photon init --model gpt-5 --schedule',
    'photon init --open-pull-request --on octo/shop',
  ],
});

async function start({ values }: Arguments<typeof commandOptions>, terminal: Terminal) {
  const repo = resolveRepo(values);
  const options: StarterOptions = {
    ref: unquotedValue('ref', values.ref ?? 'v2'),
    model: unquotedValue('model', values.model ?? terminal.env.PHOTON_MODEL ?? ''),
    schedule: values.schedule ?? false,
  };
  const repository =
    values.on === undefined ? await findRepository(repo, terminal.env) : repositoryName(values.on);
  const isDry = values['dry-run'] ?? false;
  if (values['open-pull-request']) return propose({ repository, options, isDry }, terminal);
  await resolveCheckout(values, terminal);
  const detection = await examineProject(repo);
  if (detection === undefined)
    throw new PhotonError('USAGE', `${repo} is not the top folder of its repository.`, {
      hint: `Use photon init --repo ${findTop(repo)}.`,
    });
  const files = renderStarter(makeStarter(options, detection));
  const present = await Promise.all(files.map(f => openFolderFiles(repo).read(f.path)));
  const added = files.filter((f, i) =>
    isDry ? present[i] === undefined : writeAbsentFile(repo, f.path, f.text),
  );
  const kept = files.filter(f => !added.includes(f));
  if (isDry) printAll(added, terminal);
  terminal[isDry ? 'tell' : 'print'](renderFiles(isDry ? kept : files, added));
  terminal.tell(renderDetection(detection));
  terminal.tell(renderPermissions());
  const pulls = await readPullSetting(repository, terminal);
  const found = { ...options, pulls, test: detection.chosen, kept: kept.map(f => f.path) };
  terminal.tell(renderNext(found, { repository, added, isDry }));
  return 0;
}

interface ToPropose {
  readonly repository: string | undefined;
  readonly options: StarterOptions;
  readonly isDry: boolean;
}

/** Opens the pull request on GitHub, or shows it. The folder on disk is not read or changed. */
async function propose({ repository, options, isDry }: ToPropose, terminal: Terminal) {
  if (repository === undefined)
    throw new PhotonError('USAGE', 'The repository on GitHub is unknown.', {
      hint: 'Name it: photon init --open-pull-request --on OWNER/NAME.',
    });
  if (!terminal.env.GITHUB_TOKEN)
    throw new PhotonError('GITHUB_AUTH', 'GITHUB_TOKEN is not set.', {
      hint: 'Set it to the token of an App or of a person that may write contents, pull requests and workflows. The token of a workflow may not write workflow files.',
    });
  const { found, body, open } = await prepareProposal(repository, options, terminal);
  if (found.added.length === 0) {
    terminal.print(`${repository} has all files of Photon already.\n`);
    return 0;
  }
  if (isDry) {
    printAll(found.added, terminal);
    terminal.print(`# Pull request: ${onboardingTitle}\n${body}`);
    return 0;
  }
  const { state, number, url, notes } = await open();
  terminal.print(`${endings[state]} #${number}: ${url}\n`);
  for (const note of notes) terminal.tell(`${note}\n`);
  return 0;
}

const endings = {
  created: 'Opened pull request',
  updated: 'Updated pull request',
  unchanged: 'Nothing has changed in pull request',
  closed:
    'Somebody closed the pull request, so it is not opened again. To get a new one, change the title of',
  edited: 'The branch has commits of others, so nothing was changed in pull request',
} as const;

function printAll(files: readonly StarterFile[], terminal: Terminal): void {
  for (const { path, text } of files) terminal.print(`# ${path}\n${text}\n`);
}

function renderPermissions(): string {
  const lines = permissions.map(([name, why]) => `  ${name.padEnd(21)} ${why}\n`);
  return `Permissions of the workflow:\n${lines.join('')}`;
}

/** A value that goes into the workflow file unquoted, so it may only have harmless characters. */
function unquotedValue(name: string, value: string): string {
  if (!/^[A-Za-z0-9._:/-]{0,100}$/.test(value))
    throw new PhotonError('USAGE', `--${name}: use letters, digits and . _ : / - only.`);
  return value;
}

/** The files, with those that were added, and those that exist and stay unchanged. */
function renderFiles(files: readonly StarterFile[], added: readonly StarterFile[]): string {
  return files
    .map(file => {
      const [how, about] = added.includes(file)
        ? ['wrote', file.about]
        : ['kept ', 'already exists'];
      return `${how} ${file.path.padEnd(30)} ${about}\n`;
    })
    .join('');
}

function renderNext(
  found: Parameters<typeof listSteps>[0],
  start: Omit<ToPropose, 'options'> & Pick<Onboarding, 'added'>,
): string {
  const { repository = 'OWNER/NAME', added, isDry } = start;
  const paths = added.map(file => file.path).join(' ');
  const begin = isDry ? 'Write the files with photon init, then commit' : 'Commit';
  const commit = `${begin} what is new: git add ${paths} && git commit -m "Add Photon" && git push`;
  const steps = [
    ...listSteps(found).map(step => step.replaceAll('`', '')),
    paths === '' ? undefined : commit,
    `Check the repository: GITHUB_TOKEN=$(gh auth token) photon doctor --on ${repository}`,
    'Comment /photon fix <task> on an issue.',
  ].filter(step => step !== undefined);
  return `Next:\n${steps.map((s, i) => `  ${i + 1}. ${s}\n`).join('')}`;
}

/** The repository that the remote `origin` of a clone names, on the server of `GITHUB_SERVER_URL`; undefined if none does. */
async function findRepository(repo: string, env: Terminal['env']): Promise<string | undefined> {
  const bytes = await openFolderFiles(repo).read('.git/config');
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes.subarray(0, 100_000));
  const section = /^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(text)?.[1] ?? '';
  const url = /^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/m.exec(section)?.[1] ?? '';
  const { hostname } = new URL(findServer(env));
  const found =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      url,
    );
  return found?.[1] === hostname ? found[2] : undefined;
}

/** Where the setting for pull requests is, and what it is, as far as the token of the environment can tell. */
async function readPullSetting(
  repository: string | undefined,
  terminal: Terminal,
): Promise<PullSetting> {
  const page = `${findServer(terminal.env)}/${repository ?? 'OWNER/NAME'}/settings/actions`;
  if (repository === undefined || !terminal.env.GITHUB_TOKEN)
    return { mayOpenPulls: undefined, page };
  try {
    const { github } = await openRepository(repository, terminal);
    const { mayOpenPulls } = await examineRepository(github);
    return { mayOpenPulls, page };
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    terminal.tell(`${repository} could not be read: ${error.message}\n`);
    return { mayOpenPulls: undefined, page };
  }
}

type StarterOptions = Pick<Starter, 'ref' | 'model' | 'schedule'>;

function makeStarter(options: StarterOptions, { chosen }: Detection): Starter {
  const test = chosen?.command ?? '';
  const witness =
    chosen?.witness === undefined ? undefined : describeWitness(chosen.witness, chosen.command);
  const ports = chosen?.witness?.ports ?? [];
  const services = ports.length === 0 ? undefined : describePorts(ports);
  return { ...options, test, setup: chosen?.setup ?? '', witness, services };
}

/**
 * Reads the default branch of a repository and prepares the pull request, which `open` opens or updates.
 * @throws PhotonError `GITHUB_*`, `CONFIG_INVALID`, `CONSTITUTION_INVALID`; `open` also `WORKFLOWS_FORBIDDEN`, `BRANCH_TAKEN`.
 */
async function prepareProposal(repository: string, options: StarterOptions, terminal: Terminal) {
  const { github } = await openRepository(repository, terminal);
  const baseRef = await findDefaultBranch(github);
  if (baseRef === undefined)
    throw new PhotonError('GITHUB_REQUEST', `${repository} cannot be read with this token.`);
  const files = await openRemoteFiles(github, baseRef);
  const found = await examine(files, options, {
    root: terminal.root,
    pulls: await readPullSetting(repository, terminal),
  });
  const body = renderOnboarding(found);
  return {
    found,
    body,
    open: () =>
      openOnboarding(github, {
        baseRef,
        baseCommit: files.commit,
        files: found.added,
        title: onboardingTitle,
        body,
      }),
  };
}

async function examine(
  files: TrustedFiles,
  options: StarterOptions,
  { root, pulls }: { readonly root: string; readonly pulls: PullSetting },
): Promise<Onboarding> {
  const shipped = openShipped(root);
  const settings = await loadSettings({ config: '', 'agent-profile': '' }, files);
  const { constitution, instructions } = await loadPolicy({ settings, trusted: files, shipped });
  const project = await loadProjectFiles(files);
  const { paths } = project;
  const detection = await detectAll(project);
  const starter = renderStarter(makeStarter(options, detection));
  const ownRules = paths.includes('constitution.md');
  const own = constitution.protectedPaths;
  const patterns = ownRules ? own : [...own, ...starterPaths];
  const matches = pathMatcher(patterns);
  const { chosen } = detection;
  return {
    languages: countLanguages(paths),
    test: chosen === undefined ? undefined : { command: chosen.command, because: chosen.because },
    setup: chosen?.setup ?? '',
    instructions: [
      ownRules ? 'constitution.md' : undefined,
      ...(instructions?.files.map(f => f.path) ?? []),
    ].filter(item => item !== undefined),
    protectedPaths: patterns,
    protectedFiles: paths.filter(path => matches(path) !== undefined).length,
    added: starter.filter(({ path }) => !paths.includes(path)),
    kept: starter.map(({ path }) => path).filter(path => paths.includes(path)),
    pulls,
    model: options.model,
  };
}

/** Languages by their number of files, the most frequent first. */
function countLanguages(paths: readonly string[]): Onboarding['languages'] {
  const names = paths.flatMap(path => detectLanguage(path)?.grammar ?? []);
  const byName = Map.groupBy(names, name => name);
  return [...byName]
    .map(([name, all]) => ({ name, files: all.length }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}
