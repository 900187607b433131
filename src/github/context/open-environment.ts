/** What a process works in: the checkout, the trusted files, the settings, and GitHub when it is needed. */

import { loadSettings, loadTaskTexts } from '../../agent/context/policy.ts';
import type { TaskTexts } from '../../agent/context/task-texts.ts';
import { decideDeliveryMode } from '../../agent/run/delivery-mode.ts';
import type { RunEnvironment, RunInput } from '../../agent/run/run-input.ts';
import { PhotonError } from '../../codes.ts';
import { redactSecrets, type SecretForms, secretForms } from '../../guard/secrets/secrets.ts';
import { type KeySource, openKeySource } from '../../model/key-exchange/key-source.ts';
import { exchangeKey } from '../../model/key-exchange/run-exchange.ts';
import { pathMatcher } from '../../path-patterns.ts';
import { proxySecrets } from '../../process/network.ts';
import { requirePlatform, systemName, thisPlatform } from '../../process/this-platform.ts';
import { openTimeLimit } from '../../process/time-limit.ts';
import { parseApp, parseTimeoutMs, type Settings } from '../../settings/settings.ts';
import type { HeadBranch, Task } from '../../task.ts';
import { hostCredentials } from '../../workspace/files/host-credentials.ts';
import type { RunFolder } from '../../workspace/files/run-folder.ts';
import { type Git, openGit } from '../../workspace/git/git.ts';
import { openShipped } from '../../workspace/trusted/shipped.ts';
import { openLocalFiles, type TrustedFiles } from '../../workspace/trusted/trusted-files.ts';
import { fetchImages } from '../api/attachments.ts';
import { openGitHub } from '../api/client.ts';
import type { AppStrategy, GitHub, RequestLimit } from '../api/github.ts';
import { fetchPullChanges } from '../api/pull-diff.ts';
import { findDefaultBranch, openRemoteFiles } from '../api/remote-files.ts';
import { openAppStrategy } from '../auth/app-auth.ts';
import { serverOf } from '../events/background.ts';
import type { EventRequest } from '../events/event.ts';
import { openMemoryPlace } from './memory-store.ts';

/** GitHubEnvironment once a process; shared by its runs. */
export interface GitHubEnvironment extends RunEnvironment {
  readonly repository: string;
  readonly baseRef: string;
  readonly baseCommit: string;
  readonly askedBy: string;
  /** The texts that a trigger adds to a task. */
  readonly taskTexts: TaskTexts;
  /** The API, opened at its first use. */
  readonly github: () => Promise<GitHub>;
  /** A second client for reports, which must still work when the run itself was cancelled. */
  readonly reporter: (waitMs: number) => Promise<GitHub>;
  /** The same, whose requests end with one limit, and those about records with another. */
  readonly within: (limit: RequestLimit, records: RequestLimit) => GitHubEnvironment;
  /** Trusted files for a task about this base branch; the default branch's when it is undefined. */
  readonly trusted: (base?: string) => Promise<TrustedFiles>;
  /** Files of the default branch of a repository, this one or another. */
  readonly filesOf: (repository: string) => Promise<TrustedFiles>;
  readonly now: () => number;
  close(): Promise<void>;
}

const secretName = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|CREDENTIALS?)/i;
const secretHeader = /auth|key|token|secret|password|credential|cookie/i;

/**
 * Opens checkout, trusted files and settings.
 * @throws PhotonError `PLATFORM_UNSUPPORTED`, `GIT`, `CONFIG_INVALID`, `SETTING_INVALID`, `PROMPT_INVALID`, `GITHUB_*`.
 */
export async function openEnvironment(
  input: RunInput,
  folder: RunFolder,
  request: EventRequest,
): Promise<GitHubEnvironment> {
  requirePlatform(systemName);
  const hidden = hiding(input, hostCredentials(input));
  const ms = parseTimeoutMs(input.inputs);
  const limit = openTimeLimit(input.signal, { ms, now: input.now });
  const git = await openGit(input.workspace, {
    scratch: folder.scratch,
    programs: input.programs,
  });
  try {
    return await openOver(git, { input, request, limit, hiding: hidden });
  } catch (error) {
    git.close();
    throw error;
  } finally {
    limit.close();
  }
}

interface Start {
  readonly input: RunInput;
  readonly request: EventRequest;
  /** The opening's own: what is opened then goes on without it. */
  readonly limit: RequestLimit;
  readonly hiding: Hiding;
}

async function openOver(
  checkout: Git,
  { input, request, limit, hiding: { hide, ...hidden } }: Start,
): Promise<GitHubEnvironment> {
  const log = (line: string) => input.log.line(line);
  const client = openClients(input, { log, scrub: hidden.scrub });
  let github: Promise<GitHub> | null = null;
  const openOnce = () => {
    github ??= client(input.signal, input.now() + 6 * 3_600_000);
    return github;
  };
  const openBound = async () => (await openOnce()).within(limit);
  const defaultBranch = () => findTrustedBranch(input, checkout, openBound);
  const trustedBy = (open: typeof openOnce) => async (base?: string) =>
    openTrusted(input, {
      git: checkout,
      github: open,
      branch: base ?? (await findTrustedBranch(input, checkout, open)),
    });
  const read = await loadSettings(input.inputs, await trustedBy(openBound)(), input.ownConfig);
  const git = (await withhold(checkout, read.neverSend)).showing(read.commandReads);
  hide(...(await git.untrackedCredentials()).values);
  const { withholds } = git;
  const asks =
    (read.mode === 'run' || read.mode === 'review') &&
    input.replay === undefined &&
    needsModel(request);
  for (const [name, value] of Object.entries(read.extraHeaders ?? {}))
    if (secretHeader.test(name)) hide(value);
  const modelKey = openModelKey(input, read, hide);
  // a key that cannot be had ends the run before anything else is done
  const settings = { ...read, apiKey: asks ? await modelKey() : '' };
  // what an App may do is known before anything is paid for
  if (settings.app !== null && input.delivery === 'github') await openOnce();
  const boundTo = (github: () => Promise<GitHub>, forRecords = github) => ({
    github,
    trusted: trustedBy(github),
    memory: openMemoryPlace({ input, settings, git, github: forRecords, log }),
    images: async ({ images = [], conversation }: Task) =>
      fetchImages(await github(), {
        repository: input.repository,
        conversation,
        addresses: images,
        server: serverOf(input),
      }),
    pullDiff: async (head: HeadBranch) =>
      (await fetchPullChanges(await github(), input.repository, { ...head, withholds })).diff,
  });
  const shipped = openShipped(input.root);
  const opened: GitHubEnvironment = {
    input,
    git,
    settings,
    modelKey,
    defaultBranch,
    log,
    ...boundTo(openOnce),
    ...hidden,
    shipped,
    taskTexts: loadTaskTexts(shipped),
    repository: input.repository,
    baseRef:
      settings.base ||
      (await baseBranch(input, {
        git,
        request,
        defaultBranch,
        publishes: decideDeliveryMode(settings, input.delivery).target === 'publish',
      })),
    baseCommit: git.commit,
    now: input.now,
    filesOf: async name =>
      name === input.repository ? opened.trusted() : openOther(await openOnce(), name),
    askedBy: input.actor,
    reporter: waitMs => client(AbortSignal.timeout(waitMs), input.now() + waitMs),
    within: (bound, records) => {
      const by = (each: RequestLimit) => {
        let github: Promise<GitHub> | null = null;
        return () => {
          github ??= openOnce().then(unbound => unbound.within(each));
          return github;
        };
      };
      return { ...opened, ...boundTo(by(bound), by(records)) };
    },
    close: async () => {
      try {
        git.close();
      } catch (error) {
        log(`Photon could not clean up: ${(error as Error).message}`); // the runs have ended as they did
      }
    },
  };
  return opened;
}

/** What a run sees of the checkout; the trusted files are read from all of it. */
async function withhold(checkout: Git, patterns: readonly string[]): Promise<Git> {
  if (patterns.length === 0) return checkout;
  const matches = pathMatcher(patterns);
  return checkout.without(path => path !== '' && matches(path) !== null);
}

/** Opens clients of the API with the GitHub App of the inputs, or else with the token. */
function openClients(input: RunInput, { log, scrub }: Pick<RunEnvironment, 'log' | 'scrub'>) {
  const app = parseApp(input.inputs);
  let strategy: Promise<AppStrategy> | null = null;
  return async (signal: AbortSignal, deadline: number): Promise<GitHub> => {
    const by = { log, scrub, signal, deadline };
    const options = { ...input, ...by, token: input.inputs['github-token'] ?? '' };
    if (app === null) return openGitHub(options);
    strategy ??= openAppStrategy(app, input.repository, options);
    return openGitHub({ ...options, strategy: await strategy });
  };
}

function secretsOf(input: RunInput): readonly string[] {
  const fromEnv = Object.entries(input.env).filter(
    ([name, value]) => secretName.test(name) && value !== undefined && !thisPlatform.isFixed(value),
  );
  return [
    input.inputs['api-key'] ?? '',
    input.inputs['github-token'] ?? '',
    // without its armour, which any text about keys holds
    (input.inputs['private-key'] ?? '').replace(/-----[A-Z ]+-----/g, '').trim(),
    ...fromEnv.map(([, value]) => value ?? ''),
    ...proxySecrets(input.env),
  ];
}

/** Record changes are settled without a model. */
function needsModel(request: EventRequest): boolean {
  return request.kind !== 'records' && !(request.kind === 'command' && request.verb === 'accept');
}

/** The key of the model: from the input, or from the OIDC exchange, which renews it. */
function openModelKey(
  input: RunInput,
  { apiKey, keyExchange }: Settings,
  hide: (secret: string) => void,
): KeySource {
  if (keyExchange === null) return async () => apiKey;
  const exchange = {
    idTokenUrl: input.env.ACTIONS_ID_TOKEN_REQUEST_URL ?? '',
    idTokenBearer: input.env.ACTIONS_ID_TOKEN_REQUEST_TOKEN ?? '',
    settings: keyExchange,
    signal: input.signal,
    now: input.now,
  };
  return openKeySource({
    issue: () => exchangeKey(exchange),
    now: input.now,
    arrived: key => {
      hide(key);
      input.log.mask(key);
    },
  });
}

interface Hiding extends Pick<RunEnvironment, 'secrets' | 'scrub'> {
  /** Adds secrets that are known only now. */
  readonly hide: (...secrets: readonly string[]) => void;
}

/**
 * Blanks the secrets of this run, in the log too. Commands see none of the credentials that were found in
 * files of this machine, and their output is scrubbed of them all the same.
 */
function hiding(input: RunInput, found: readonly string[]): Hiding {
  const known = [...secretsOf(input), ...found];
  let forms = secretForms(known);
  const secrets: SecretForms = {
    get forms() {
      return forms.forms;
    },
    get windows() {
      return forms.windows;
    },
    get pieces() {
      return forms.pieces;
    },
  };
  const scrub = (text: string) => redactSecrets(text, secrets);
  input.log.hide(scrub);
  const hide = (...secrets: readonly string[]) => {
    if (secrets.length === 0) return;
    known.push(...secrets);
    forms = secretForms(known);
  };
  return { secrets, scrub, hide };
}

/** Files of the default branch of another repository. */
async function openOther(github: GitHub, repository: string): Promise<TrustedFiles> {
  const branch = await findDefaultBranch(github, repository);
  if (branch === null)
    throw new PhotonError('GITHUB_REQUEST', `${repository} cannot be read.`, {
      hint: 'Give github-token a token that reaches every repository of fleet.repositories.',
    });
  return openRemoteFiles(github, repository, branch);
}

/** Default branch of the repository; in local use whatever is checked out. */
async function findTrustedBranch(
  input: RunInput,
  git: Git,
  github: () => Promise<GitHub>,
): Promise<string> {
  if (input.repository === '') return git.branch;
  const payload = input.event.payload as { repository?: { default_branch?: unknown } } | null;
  const named = payload?.repository?.default_branch;
  if (typeof named === 'string' && named !== '') return named;
  const found = await findDefaultBranch(await github(), input.repository);
  if (found === null)
    throw new PhotonError(
      'GITHUB_REQUEST',
      'The default branch of the repository cannot be found.',
    );
  return found;
}

interface TrustedPlace {
  readonly git: Git;
  readonly github: () => Promise<GitHub>;
  readonly branch: string;
}

/** From the checkout's objects when GitHub says that its commit is the branch's; else over the API. */
async function openTrusted(
  input: RunInput,
  { git, github, branch }: TrustedPlace,
): Promise<TrustedFiles> {
  const local =
    input.repository === '' || (input.ref === `refs/heads/${branch}` && input.sha === git.commit);
  if (local) return openLocalFiles(git, { ref: branch, commit: await trustedTree(input, git) });
  return openRemoteFiles(await github(), input.repository, branch);
}

/** The commit of the checkout; for a person at a terminal, with the files of the work tree that they chose. */
async function trustedTree(
  { repository, settingsFiles = [] }: RunInput,
  git: Git,
): Promise<string> {
  if (repository !== '' || settingsFiles.length === 0) return git.commit;
  return git.writeFullTree(settingsFiles);
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
  if (input.repository === '') return git.branch;
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
