/** Opens the pull request of a branch, or updates it. */
import { type GitHub, noRetry } from '../api/github.ts';
import { formatMessage, getCause, getStatus } from '../api/github-errors.ts';
import { findOpenPullRequest } from './branch.ts';
import { setDraft } from './extras.ts';

/** What Photon reads of a pull request. */
export interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly node_id: string;
  readonly draft?: boolean | undefined;
}

interface PullToOpen {
  readonly branch: string;
  readonly baseRef: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
  /** True: a draft that does not have to be one is marked as ready for review. */
  readonly ready?: boolean;
  /** The open pull request of the branch, as it was found; undefined when there is none. */
  readonly known: Pull | undefined;
}

export interface OpenedPull {
  readonly pull: Pull;
  readonly operation: 'created' | 'updated';
  readonly notes: readonly string[];
}

/** Opens or updates. @throws PhotonError `GITHUB_*`. */
export async function openOrUpdatePull(github: GitHub, request: PullToOpen): Promise<OpenedPull> {
  if (request.known !== undefined) return updatePull(github, request, request.known);
  try {
    const pull = await openPull(github, request, request.draft);
    return { pull, operation: 'created', notes: [] };
  } catch (error) {
    if (getStatus(error) !== 422) throw error;
    if (request.draft && /draft/i.test(formatMessage(error))) {
      const notes = [
        'This repository does not support drafts, so Photon opened an ordinary pull request.',
      ];
      return { pull: await openPull(github, request, false), operation: 'created', notes };
    }
    // somebody has opened one for the branch in the meantime
    const found = await github.readWritten(() => findOpenPullRequest(github, request.branch));
    if (found === undefined) throw error;
    return updatePull(github, request, found);
  }
}

/** Opens a pull request. GitHub can refuse for a moment, because it does not know the new branch yet. */
async function openPull(github: GitHub, request: PullToOpen, draft: boolean): Promise<Pull> {
  const { branch, baseRef, title, body } = request;
  const fields = { title, body, head: branch, base: baseRef, draft };
  const open = () =>
    github.createOnce<Pull>(
      async () => (await github.rest.pulls.create({ ...github.where, ...fields, ...noRetry })).data,
      () => findOpenPullRequest(github, branch),
    );
  const opened = await github.readWritten(
    () =>
      open().catch((error: unknown) =>
        isHeadUnknown(error) ? { refused: error } : rethrow(error),
      ),
    found => !('refused' in found),
  );
  return 'refused' in opened ? rethrow(opened.refused) : opened;
}

function rethrow(error: unknown): never {
  throw error;
}

/** True for `422 Validation Failed` with an error in the field `head`. */
function isHeadUnknown(error: unknown): boolean {
  const { response } = getCause(error) as { response?: { data?: { errors?: unknown } } };
  const errors: readonly { field?: unknown; code?: unknown }[] = [
    response?.data?.errors ?? [],
  ].flat();
  return getStatus(error) === 422 && errors.some(e => e?.field === 'head' && e.code === 'invalid');
}

async function updatePull(github: GitHub, request: PullToOpen, pull: Pull): Promise<OpenedPull> {
  const { title, body, draft, ready = false } = request;
  const where = { ...github.where, pull_number: pull.number };
  const { data } = await github.rest.pulls.update({ ...where, title, body });
  const changes = draft ? pull.draft === false : ready && pull.draft === true;
  const notes = changes ? await setDraft(github, pull.node_id, draft) : [];
  return { pull: data, operation: 'updated', notes };
}

interface WorkflowToStart {
  /** File name of the workflow; empty to start none. */
  readonly workflow: string;
  readonly branch: string;
  /** True when people must review the code first: unreviewed code does not run with the workflow's rights. */
  readonly held: boolean;
}

/** Starts the workflow on the branch. @returns a note when it was not started. */
export async function startWorkflow(
  github: GitHub,
  { workflow, branch, held }: WorkflowToStart,
): Promise<readonly string[]> {
  if (workflow === '') return [];
  if (held)
    return [
      `Photon did not start ${workflow}, because the pull request is a draft that people must review first.`,
    ];
  try {
    await github.rest.actions.createWorkflowDispatch({
      ...github.where,
      workflow_id: workflow,
      ref: branch,
      ...noRetry,
    });
    return [];
  } catch (error) {
    return [`Photon could not start the workflow ${workflow}: ${formatMessage(error)}`];
  }
}
