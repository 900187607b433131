/** References of the GitHub double: every namespace, and the one change that compares first. */
import { error, type Route, refBody, route, type State } from '../github-routes.ts';

function commitOf({ store }: State, ref: string): string | null {
  return store.commitOf(ref);
}

/** Removes a ref; a branch that goes takes its open pull request with it, which keeps its head. */
function removeRef(state: State, ref: string): void {
  const head = commitOf(state, ref);
  state.store.files.setRef(ref, null);
  for (const pull of state.pulls.values()) {
    if (`refs/heads/${pull.head}` !== ref || pull.fork || head === null) continue;
    pull.headSha ??= head;
    if (pull.state === 'open') pull.closedBy = state.actor;
    pull.state = 'closed';
  }
}

export interface RefUpdate {
  readonly name: string;
  readonly afterOid: string;
  readonly beforeOid?: string | null;
  readonly force?: boolean | null;
}

const none = '0'.repeat(40);

/** All of them or none; an error's words when there is none. */
export function updateRefs(state: State, updates: readonly RefUpdate[]): string | null {
  for (const { name, afterOid, beforeOid, force } of updates) {
    const now = commitOf(state, name) ?? none;
    if (beforeOid && beforeOid !== now) return `Reference ${name} is at ${now}, not ${beforeOid}`;
    const forward = now === none || afterOid === none || state.store.isAncestor(now, afterOid);
    if (!forward && !force) return `Reference ${name} cannot be fast-forwarded`;
  }
  for (const { name, afterOid } of updates) {
    if (afterOid === none) removeRef(state, name);
    else state.store.files.setRef(name, afterOid);
  }
  return null;
}

export const refRoutes: readonly Route[] = [
  route('POST', '/git/refs', (call, state) => {
    const { ref, sha } = call.body as { ref: string; sha: string };
    if (commitOf(state, ref) !== null) return error(422, 'Reference already exists');
    state.store.files.setRef(ref, sha);
    return { status: 201, body: refBody(state, ref, sha) };
  }),
  route('GET', '/git/ref/(?<ref>.+)', (call, state) => {
    const ref = `refs/${call.params.ref}`;
    const sha = commitOf(state, ref);
    return sha === null ? error(404, 'Not Found') : { status: 200, body: refBody(state, ref, sha) };
  }),
  route('GET', '/git/matching-refs/(?<ref>.+)', (call, state) => ({
    status: 200,
    body: Object.entries(state.store.refs())
      .filter(([name]) => name.startsWith(`refs/${call.params.ref}`))
      .map(([name, sha]) => refBody(state, name, sha)),
  })),
  route('PATCH', '/git/refs/(?<ref>.+)', (call, state) => {
    const { sha, force = false } = call.body as { sha: string; force?: boolean };
    const ref = `refs/${call.params.ref}`;
    const old = commitOf(state, ref);
    if (old === null) return error(422, 'Reference does not exist');
    const forward = state.store.isAncestor(old, sha);
    if (!forward && !force) return error(422, 'Update is not a fast forward');
    state.store.files.setRef(ref, sha);
    return { status: 200, body: refBody(state, ref, sha) };
  }),
  route('DELETE', '/git/refs/(?<ref>.+)', (call, state) => {
    const ref = `refs/${call.params.ref}`;
    if (commitOf(state, ref) === null) return error(422, 'Reference does not exist');
    removeRef(state, ref);
    return { status: 204 };
  }),
];
