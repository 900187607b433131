/** Opens GitHub for a process: the clients, the trusted files, and the branch that results go to. */
import { loadConfig } from '../../agent/context/policy.ts';
import { PhotonError } from '../../base/codes.ts';
import type { PackageVersion } from '../../base/findings.ts';
import type { HeadBranch, Task } from '../../base/task.ts';
import { chooseModel, parseApp, type Settings } from '../../settings/settings.ts';
import { openRunFolder, type RunFolder } from '../../workspace/files/run-folder.ts';
import type { Git } from '../../workspace/git/git.ts';
import {
  openLocalFiles,
  type TrustedFiles,
  withoutPaths,
} from '../../workspace/trusted/trusted-files.ts';
import { decideDeliveryMode } from '../delivery-mode.ts';
import type { RunInput } from '../host.ts';
import { type OpenCheckout, openEnvironment, withCheckout } from '../open-environment.ts';
import { findAdvisories } from './api/advisories.ts';
import { openGitHub } from './api/client.ts';
import type { AppStrategy, GitHub } from './api/github.ts';
import { fetchPullChanges } from './api/pull-files.ts';
import { findDefaultBranch, openCentralFiles, openRemoteFiles } from './api/remote-tree.ts';
import { openAppStrategy } from './auth/app-auth.ts';
import type { GitHubEnvironment } from './auth/repository-context.ts';
import { fetchImages } from './conversation/attachments.ts';
import { getServer } from './conversation/background.ts';
import { openMemoryPlace } from './maintenance/settle-records.ts';
import type { EventRequest } from './parse/event.ts';

/** Longest time for the advisories of a patch, whose delivery does not wait for a database. */
const advisoriesMs = 60_000;

/**
 * Opens checkout, trusted files and settings for a request.
 * @throws PhotonError `PLATFORM_UNSUPPORTED`, `GIT`, `GITHUB_*`, `BASE_TEMPORARY`, `CHECKOUT_MISMATCH`; settings that cannot be
 * read are `failed`.
 */
export async function openGitHubEnvironment(
  input: RunInput,
  folder: RunFolder,
  request: EventRequest,
): Promise<GitHubEnvironment> {
  return withCheckout(input, folder, checkout => openOver(checkout, request));
}

async function openOver(checkout: OpenCheckout, request: EventRequest): Promise<GitHubEnvironment> {
  const { input, git: whole, limit, log } = checkout;
  const { repository } = input;
  const client = openClients(checkout);
  const unbound = await client(input.signal, input.now() + 6 * 3_600_000);
  const opening = unbound.within(limit);
  const defaultBranch = () => findTrustedBranch(input, opening);
  // a branch that moves during a run is read at one commit
  const pinned = new Map<string, string>();
  const openBranch = async (github: GitHub, base?: string) => {
    const branch = base ?? (await findTrustedBranch(input, github));
    return openTrusted(input, { git: whole, github, branch });
  };
  const trustedBy = (github: GitHub) => async (base?: string) => {
    const trusted = await openBranch(github, base);
    const { extends: named } = await loadConfig(input.inputs, trusted);
    if (named === undefined) return trusted;
    const central = await openCentralFiles(github, pinned.get(named) ?? named);
    pinned.set(named, central.name);
    return { ...trusted, central };
  };
  const asksModel = needsModel(request);
  const open = async () => {
    const read = await openEnvironment(checkout, await trustedBy(opening)(), { asksModel });
    requireNoViolations(read.settings);
    return read;
  };
  const common = await open().catch(async (failed: unknown) => {
    if (!(failed instanceof PhotonError) || failed.code.startsWith('GITHUB_')) throw failed;
    return { ...(await openToReport(checkout, await openBranch(opening))), failed };
  });
  const { settings, git } = common;
  const { withholds } = git;
  const publishes = decideDeliveryMode(settings, input.delivery).target === 'publish';
  const boundTo = (github: GitHub, forRecords = github) => ({
    github,
    trusted: trustedBy(github),
    memory: openMemoryPlace({ input, settings, github: forRecords, log }),
    images: async ({ images = [], conversation }: Task) =>
      fetchImages(github, { conversation, addresses: images, server: getServer(input) }),
    pullDiff: async (head: HeadBranch) =>
      (await fetchPullChanges(github, { ...head, withholds })).diff,
    findAdvisories: (versions: readonly PackageVersion[]) => {
      const signal = AbortSignal.any([github.signal, AbortSignal.timeout(advisoriesMs)]);
      const bound = { signal, deadline: input.now() + advisoriesMs };
      return findAdvisories(github.within(bound), versions);
    },
  });
  const opened: GitHubEnvironment = {
    ...common,
    ...boundTo(unbound),
    repository,
    baseRef: settings.base || (await baseBranch(input, { git, request, defaultBranch, publishes })),
    filesOf: async name => (name === repository ? opened.trusted() : openOther(unbound.at(name))),
    reporter: (waitMs = input.signal.aborted ? 3_000 : 60_000) =>
      client(AbortSignal.timeout(waitMs), input.now() + waitMs),
    within: (bound, records) => {
      return { ...opened, ...boundTo(unbound.within(bound), unbound.within(records)) };
    },
  };
  return opened;
}

/** Inputs that say where a failure is reported, and as whom. */
const reportInputs = ['github-token', 'app-id', 'private-key', 'report-to'] as const;

/** With the shipped settings: those of the repository or the job cannot be read, and somebody waits to hear so. */
async function openToReport(checkout: OpenCheckout, trusted: TrustedFiles) {
  const { inputs, ...input } = checkout.input;
  // a comment is public, and an input that no setting could be read from may hold a key
  const given = Object.values({ ...inputs, config: '' }).filter((text = '') => text.length > 7);
  checkout.hide(...given.map(String));
  const kept = Object.fromEntries(reportInputs.map(name => [name, inputs[name]]));
  const nothing = withoutPaths(trusted, ['**']);
  return openEnvironment({ ...checkout, input: { ...input, inputs: kept } }, nothing, {
    asksModel: false,
  });
}

/** Nobody watches a run on GitHub, so there a violation ends it (constitution §10). */
function requireNoViolations({ violations }: Settings): void {
  if (violations === 0) return;
  throw new PhotonError(
    'SETTING_INVALID',
    `limits.violations: ${violations} is possible at a terminal only. On GitHub, the first violation ends a run.`,
    { hint: 'Remove limits.violations from the central configuration.' },
  );
}

/** Opens clients of the API with the GitHub App of the inputs, or else with the token. What an App may do is known before anything is paid for. */
function openClients({ input, log, scrub }: OpenCheckout) {
  const app = parseApp(input.inputs);
  let strategy: Promise<AppStrategy> | undefined;
  const posted = new Map();
  return async (signal: AbortSignal, deadline: number): Promise<GitHub> => {
    const by = { log, scrub, signal, deadline, posted };
    const options = { ...input, ...by, token: input.inputs['github-token'] ?? '' };
    if (app === undefined) return openGitHub(options);
    strategy ??= openAppStrategy(app, options);
    return openGitHub({ ...options, strategy: await strategy });
  };
}

/** Record changes are settled without a model. */
function needsModel(request: EventRequest): boolean {
  return request.kind !== 'records' && !(request.kind === 'command' && request.verb === 'accept');
}

/** Files of the default branch of another repository. */
async function openOther(github: GitHub): Promise<TrustedFiles> {
  const branch = await findDefaultBranch(github);
  if (branch === undefined)
    throw new PhotonError('GITHUB_REQUEST', `${github.repository} cannot be read.`, {
      hint: 'Give github-token a token that reaches every repository of fleet.repositories.',
    });
  return openRemoteFiles(github, branch);
}

/** Default branch of the repository. */
async function findTrustedBranch(input: RunInput, github: GitHub): Promise<string> {
  const payload = input.event.payload as { repository?: { default_branch?: unknown } } | null;
  const named = payload?.repository?.default_branch;
  if (typeof named === 'string' && named !== '') return named;
  const found = await findDefaultBranch(github);
  if (found === undefined)
    throw new PhotonError(
      'GITHUB_REQUEST',
      'The default branch of the repository cannot be found.',
    );
  return found;
}

interface TrustedBranch {
  readonly git: Git;
  readonly github: GitHub;
  readonly branch: string;
}

/** From the checkout's objects when GitHub says that its commit is the branch's; else over the API. */
async function openTrusted(
  input: RunInput,
  { git, github, branch }: TrustedBranch,
): Promise<TrustedFiles> {
  if (input.ref === `refs/heads/${branch}` && input.sha === git.commit)
    return openLocalFiles(git, { ref: branch, commit: git.commit });
  return openRemoteFiles(github, branch);
}

/** GitHub makes such a branch for each entry of a merge queue, and deletes it when the entry is merged or leaves. */
const queueBranches = 'gh-readonly-queue/';

/**
 * Branch that a result goes to: the one that the workflow runs on, or the default branch for tags and other refs.
 * @throws PhotonError `BASE_TEMPORARY`, `CHECKOUT_MISMATCH`.
 */
async function baseBranch(
  input: RunInput,
  {
    git,
    request,
    defaultBranch,
    publishes,
  }: {
    readonly git: Git;
    readonly request: EventRequest;
    readonly defaultBranch: () => Promise<string>;
    /** True if the result goes to GitHub. */
    readonly publishes: boolean;
  },
): Promise<string> {
  const pull = (
    input.event.payload as { pull_request?: { head?: { ref?: unknown; sha?: unknown } } } | null
  )?.pull_request?.head;
  if (request.kind === 'task' && typeof pull?.ref === 'string') {
    if (pull.sha === git.commit) return pull.ref;
    const hint = 'Give actions/checkout: ref: refs/pull/<number>/head (docs/triggers.md shows it).';
    throw new PhotonError(
      'CHECKOUT_MISMATCH',
      'The checkout is not the head of the pull request.',
      { hint },
    );
  }
  const branch = /^refs\/heads\/(.+)$/.exec(input.ref)?.[1];
  if (request.kind === 'task' && branch?.startsWith(queueBranches) && publishes)
    throw new PhotonError('BASE_TEMPORARY', `${branch} is a branch of the merge queue.`);
  return request.kind === 'command' || branch === undefined ? defaultBranch() : branch;
}

/**
 * The environment of a task, with the model that it chooses. For the code of a fork every guarantee must hold, and no extra
 * variable, path or service is visible.
 */
export function environmentFor(
  environment: GitHubEnvironment,
  task: Task | undefined,
): GitHubEnvironment {
  const isFork = task?.headBranch?.fork === true;
  if (!isFork && task?.model === undefined) return environment;
  const chosen = chooseModel(environment.settings, task?.model);
  if (!isFork) return { ...environment, settings: chosen };
  const settings = settingsForFork(chosen);
  return { ...environment, settings, git: environment.git.showing(settings.commandReads) };
}

function settingsForFork(settings: Settings): Settings {
  const { commands, hosts } = settings.network;
  const network = {
    commands: commands === 'allow' ? 'setup' : commands,
    hosts,
    services: false,
  } as const;
  return {
    ...settings,
    sandbox: 'required',
    commandEnv: [],
    commandReads: [],
    services: [],
    network,
  };
}

/** Does the work with GitHub, and a folder of its own, open. @throws PhotonError what opening a run throws. */
export async function withGitHub<T>(
  input: RunInput,
  request: Parameters<typeof openGitHubEnvironment>[2],
  work: (opened: GitHubEnvironment) => Promise<T>,
): Promise<T> {
  const folder = openRunFolder(input.tempRoot, `job-${process.pid}`);
  try {
    const opened = await openGitHubEnvironment(input, folder, request);
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  } finally {
    folder.discard();
  }
}
