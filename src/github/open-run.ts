/** What a process starts from: the checkout, the trusted files, the settings, GitHub when it is needed. */
import { loadSettings } from '../agent/law.ts';
import type { Ground, RunInput } from '../agent/run-input.ts';
import { PhotonError } from '../codes.ts';
import { redactSecrets, secretForms } from '../guard/secrets.ts';
import { type Git, openGit } from '../session/git.ts';
import type { RunFolder } from '../session/run-folder.ts';
import { openShipped } from '../session/shipped.ts';
import { openLocalFiles, type TrustedFiles } from '../session/trusted-files.ts';
import type { Settings } from '../settings.ts';
import { type GitHub, openGitHub } from './client.ts';
import type { EventRequest } from './event.ts';
import { findDefaultBranch, openRemoteFiles } from './remote-files.ts';

/** Opened once a process; shared by its runs. */
export interface Opened extends Ground {
  readonly repository: string;
  readonly baseRef: string;
  readonly baseCommit: string;
  readonly askedBy: string;
  /** The API, opened at its first use. */
  readonly github: () => Promise<GitHub>;
  /** A second client for reports, which must still work when the run itself was cancelled. */
  readonly reporter: (waitMs: number) => Promise<GitHub>;
  /** Trusted files for a task about this base branch; the default branch's when it is undefined. */
  readonly trusted: (base?: string) => Promise<TrustedFiles>;
  close(): Promise<void>;
}

const secretName = /(TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|CREDENTIALS?)/i;

/**
 * Opens checkout, trusted files and settings.
 * @throws PhotonError `GIT`, `CONFIG_INVALID`, `SETTING_INVALID`, `GITHUB_*`.
 */
export async function openRun(
  input: RunInput,
  folder: RunFolder,
  request: EventRequest,
): Promise<Opened> {
  const secrets = secretForms(secretsOf(input));
  const scrub = (text: string) => redactSecrets(text, secrets);
  input.log.hide(scrub);
  const git = await openGit(input.workspace, {
    scratch: folder.scratch,
    searchPath: input.env.PATH ?? '',
  });
  try {
    return await openOver(git, { input, request, secrets, scrub });
  } catch (error) {
    git.close();
    throw error;
  }
}

interface Start {
  readonly input: RunInput;
  readonly request: EventRequest;
  readonly secrets: Ground['secrets'];
  readonly scrub: Ground['scrub'];
}

async function openOver(git: Git, { input, request, secrets, scrub }: Start): Promise<Opened> {
  const log = (line: string) => input.log.line(line);
  const client = (signal: AbortSignal, deadline: number) =>
    openGitHub({ ...input, token: input.inputs['github-token'] ?? '', log, signal, deadline });
  let github: Promise<GitHub> | null = null;
  const openOnce = () => {
    github ??= client(input.signal, input.now() + 6 * 3_600_000);
    return github;
  };
  const defaultBranch = () => findTrustedBranch(input, git, openOnce);
  const trusted = async (base?: string) =>
    openTrusted(input, { git, github: openOnce, branch: base ?? (await defaultBranch()) });
  const settings = await loadSettings(input.inputs, await trusted());
  if (input.replay === undefined) requireModel(settings);
  return {
    ...{ input, git, settings, secrets, scrub, log, trusted, github: openOnce },
    shipped: openShipped(input.root),
    repository: input.repository,
    baseRef: settings.base || (await baseBranch(input, { git, request, defaultBranch })),
    baseCommit: git.commit,
    askedBy: input.actor,
    reporter: waitMs => client(AbortSignal.timeout(waitMs), input.now() + waitMs),
    close: async () => git.close(),
  };
}

function secretsOf(input: RunInput): readonly string[] {
  const fromEnv = Object.entries(input.env).filter(
    ([name, value]) => secretName.test(name) && value !== undefined && !value.startsWith('/'),
  );
  return [
    input.inputs['api-key'] ?? '',
    input.inputs['github-token'] ?? '',
    ...fromEnv.map(([, value]) => value ?? ''),
  ];
}

function requireModel(settings: Settings): void {
  if (settings.engine === 'builtin') return;
  if (settings.model === '') throw new PhotonError('MODEL_MISSING');
  if (settings.apiKey === '') throw new PhotonError('API_KEY_MISSING');
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
  if (local) return openLocalFiles(git, { ref: branch, commit: git.commit });
  return openRemoteFiles(await github(), input.repository, branch);
}

/** Branch that a result goes to: the one that the workflow runs on, or the default branch. */
async function baseBranch(
  input: RunInput,
  {
    git,
    request,
    defaultBranch,
  }: { git: Git; request: EventRequest; defaultBranch: () => Promise<string> },
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
  return request.kind === 'command' || branch === undefined ? defaultBranch() : branch;
}
