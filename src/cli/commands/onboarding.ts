/** What `photon init` finds out about a repository, on disk and on GitHub, and its pull request. */
import { loadPolicy, loadSettings } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import { pathMatcher } from '../../base/path-patterns.ts';
import { asObject } from '../../base/schema-issue.ts';
import { readData } from '../../ecosystems/commands/ci-lines.ts';
import { type Detection, detectAll } from '../../ecosystems/commands/detect.ts';
import { loadProjectFiles, type ProjectFiles } from '../../ecosystems/shared/project-files.ts';
import { describeWitness } from '../../ecosystems/shared/tool-row.ts';
import { normalisePath } from '../../guard/paths.ts';
import { findDefaultBranch, openRemoteFiles } from '../../hosts/github/api/remote-files.ts';
import { examineRepository, openOnboarding } from '../../hosts/github/maintenance/onboarding.ts';
import { detectLanguage } from '../../navigation/languages.ts';
import {
  type Onboarding,
  onboardingTitle,
  type PullSetting,
  renderOnboarding,
} from '../../report/pull-request/onboarding.ts';
import {
  renderStarter,
  type Starter,
  type StarterFile,
  starterPaths,
} from '../../report/pull-request/starter.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openFolderFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { findSources, readEvents, sourceAgents } from '../coming-from/find-source.ts';
import { planWorkflows } from '../coming-from/plan-workflows.ts';
import { commandEvents } from '../coming-from/shapes.ts';
import type { Terminal } from '../terminal.ts';
import { findServer, openRepository } from '../terminal-github.ts';

/** The repository that the remote `origin` of a clone names, on the server of `GITHUB_SERVER_URL`; undefined if none does. */
export async function findRepository(
  repo: string,
  env: Terminal['env'],
): Promise<string | undefined> {
  const bytes = await openFolderFiles(repo).read('.git/config');
  const text = bytes === undefined ? '' : new TextDecoder().decode(bytes.subarray(0, 100_000));
  const section = /^\[remote "origin"\]\s*\n((?:[ \t].*\n?)*)/m.exec(text)?.[1] ?? '';
  const url = /^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/m.exec(section)?.[1] ?? '';
  const { hostname } = new URL(findServer(env));
  const found =
    /^(?:https?:\/\/|ssh:\/\/|git:\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(
      url,
    );
  return found?.[1] === hostname ? found[2] : undefined;
}

/** Where the setting for pull requests is, and what it is, as far as the token of the environment can tell. */
export async function readPullSetting(
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

export interface StarterOptions extends Pick<Starter, 'ref' | 'model' | 'schedule'> {
  /** Another agent, or a workflow that runs one; undefined for neither. */
  readonly from?: string | undefined;
}

interface StarterFiles {
  readonly files: readonly StarterFile[];
  /** What became of the settings of another agent, for the terminal. */
  readonly account: readonly string[];
}

/**
 * The files of the starter; with `from`, its workflows take the place of the usual one.
 * @throws PhotonError `USAGE` if no workflow runs that agent.
 */
export async function makeStarterFiles(
  { from, ...options }: StarterOptions,
  project: ProjectFiles,
  detection: Detection,
): Promise<StarterFiles> {
  const starter = makeStarter(options, detection);
  if (from === undefined) return { files: renderStarter(starter), account: [] };
  const agent = sourceAgents.find(each => each.name === from);
  const wanted = agent === undefined ? { path: await readPath(from, project) } : { agent };
  const sources = await findSources(project, wanted);
  if (sources.length === 0)
    throw unusable(
      agent === undefined ? `${from} runs none of ${agentNames}` : `no workflow runs ${from}`,
    );
  const { files, account, commands } = planWorkflows(sources, starter);
  const { on } = await readData(project, usualPath);
  const isServed = commandEvents.some(name => name in readEvents(on));
  const double =
    commands !== undefined && isServed
      ? [
          `${usualPath} and ${commands} both serve /photon: each command would start two runs. Keep one of them.`,
        ]
      : [];
  return { files: renderStarter(starter, files), account: [...account, ...double] };
}

const usualPath = '.github/workflows/photon.yml';
const agentNames = sourceAgents.map(each => each.name).join(', ');

const unusable = (what: string) =>
  new PhotonError('USAGE', `--from: ${what}.`, {
    hint: `Name the agent (${agentNames}), or the path of its workflow in the repository.`,
  });

/** The path of the workflow that `--from` names. @throws PhotonError `USAGE` if it is none. */
async function readPath(from: string, project: ProjectFiles): Promise<string> {
  if (from.trim() === '') throw unusable('it is empty');
  const path = normalisePath(from);
  if (path === undefined || path === '')
    throw unusable(`${from} is outside of the repository, or no file of it`);
  if (!project.has(path)) throw unusable(`there is no file ${path}`);
  const { jobs } = await readData(project, path);
  if (Object.keys(asObject(jobs)).length === 0)
    throw unusable(`${path} is not a workflow: it has no jobs, or its YAML has a mistake`);
  return path;
}

function makeStarter(options: Omit<StarterOptions, 'from'>, { chosen }: Detection): Starter {
  const test = chosen?.command ?? '';
  const witness =
    chosen?.witness === undefined ? undefined : describeWitness(chosen.witness, chosen.command);
  return { ...options, test, setup: chosen?.setup ?? '', witness };
}

/**
 * Reads the default branch of a repository and prepares the pull request, which `open` opens or updates.
 * @throws PhotonError `GITHUB_*`, `CONFIG_INVALID`, `CONSTITUTION_INVALID`; `open` also `WORKFLOWS_FORBIDDEN`, `BRANCH_TAKEN`.
 */
export async function prepareProposal(
  repository: string,
  options: StarterOptions,
  terminal: Terminal,
) {
  const { github } = await openRepository(repository, terminal);
  const baseRef = await findDefaultBranch(github);
  if (baseRef === undefined)
    throw new PhotonError('GITHUB_REQUEST', `${repository} cannot be read with this token.`);
  const files = await openRemoteFiles(github, baseRef);
  const { found, account } = await examine(files, options, {
    root: terminal.root,
    pulls: await readPullSetting(repository, terminal),
  });
  const body = renderOnboarding(found);
  return {
    found,
    account,
    body,
    open: () =>
      openOnboarding(github, {
        baseRef,
        baseCommit: files.commit,
        files: found.added,
        title: onboardingTitle,
        body,
        now: terminal.now(),
      }),
  };
}

async function examine(
  files: TrustedFiles,
  options: StarterOptions,
  { root, pulls }: { readonly root: string; readonly pulls: PullSetting },
): Promise<{ readonly found: Onboarding } & Pick<StarterFiles, 'account'>> {
  const shipped = openShipped(root);
  const settings = await loadSettings({ config: '', 'agent-profile': '' }, files);
  const { constitution, instructions } = await loadPolicy({ settings, trusted: files, shipped });
  const project = await loadProjectFiles(files);
  const { paths } = project;
  const detection = await detectAll(project);
  const { files: starter, account } = await makeStarterFiles(options, project, detection);
  const ownRules = paths.includes('constitution.md');
  const own = constitution.protectedPaths;
  const patterns = ownRules ? own : [...own, ...starterPaths];
  const matches = pathMatcher(patterns);
  const { chosen } = detection;
  const found: Onboarding = {
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
  return { found, account };
}

/** Languages by their number of files, the most frequent first. */
function countLanguages(paths: readonly string[]): Onboarding['languages'] {
  const names = paths.flatMap(path => detectLanguage(path)?.grammar ?? []);
  const byName = Map.groupBy(names, name => name);
  return [...byName]
    .map(([name, all]) => ({ name, files: all.length }))
    .sort((a, b) => b.files - a.files || (a.name < b.name ? -1 : 1));
}
