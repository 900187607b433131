/** The operations of GitHub's API that a delivery needs: objects, references and pull requests of one repository. */
import {
  cutPage,
  error,
  fillCommit,
  fillPull,
  fillRef,
  fillRepository,
  type PullState,
  type Reply,
  type Route,
  route,
  type State,
} from './api.ts';
import type { TreeChange } from './object-store.ts';

const findBranch = ({ store }: State, name: string) => store.commitOf(`refs/heads/${name}`);

/** Removes a reference. The open pull request of a removed branch is closed and keeps its head. */
export function removeRef(state: State, ref: string): void {
  const head = state.store.commitOf(ref);
  state.store.setRef(ref, undefined);
  for (const pull of state.pulls.values()) {
    if (`refs/heads/${pull.head}` !== ref || pull.fork || head === undefined) continue;
    pull.headSha ??= head;
    if (pull.state === 'open') pull.closedBy = state.actor;
    pull.state = 'closed';
  }
}

/** One change of the mutation `updateRefs`; an id of zeros stands for a reference that does not exist. */
export interface RefUpdate {
  readonly name: string;
  readonly afterOid: string;
  readonly beforeOid?: string | null;
  readonly force?: boolean | null;
}

const none = '0'.repeat(40);

/** Makes all changes or none. @returns the error message when it makes none. */
export function updateRefs(state: State, updates: readonly RefUpdate[]): string | undefined {
  for (const { name, afterOid, beforeOid, force } of updates) {
    const now = state.store.commitOf(name) ?? none;
    if (beforeOid && beforeOid !== now) return `Reference ${name} is at ${now}, not ${beforeOid}`;
    const forward = now === none || afterOid === none || state.store.isAncestor(now, afterOid);
    if (!forward && !force) return `Reference ${name} cannot be fast-forwarded`;
    const asKnown = (oid: string) => (oid === none ? undefined : oid);
    const refused = state.refuse({ ref: name, now: asKnown(now), after: asKnown(afterOid) });
    if (refused !== undefined) return refused;
  }
  for (const { name, afterOid } of updates) {
    if (afterOid === none) removeRef(state, name);
    else state.store.setRef(name, afterOid);
  }
  return undefined;
}

export function setRef(
  state: State,
  { ref, sha }: Record<'ref' | 'sha', string>,
  status: number,
): Reply {
  const refused = state.refuse({ ref, now: state.store.commitOf(ref), after: sha });
  if (refused !== undefined) return error(422, refused);
  state.store.setRef(ref, sha);
  return { status, body: fillRef(state, ref, sha) };
}

const refRoutes: readonly Route[] = [
  route('GET', '/rules/branches/.+', () => ({ status: 200, body: [] })),
  route('POST', '/git/refs', (call, state) => {
    const { ref, sha } = call.body as { ref: string; sha: string };
    if (state.store.commitOf(ref) !== undefined) return error(422, 'Reference already exists');
    if (!state.store.hasObject(sha)) return error(422, 'Object does not exist');
    return setRef(state, { ref, sha }, 201);
  }),
  route('GET', '/git/ref/(?<ref>.+)', (call, state) => {
    const ref = `refs/${call.params.ref}`;
    const sha = state.store.commitOf(ref);
    if (sha === undefined) return error(404, 'Not Found');
    return { status: 200, body: fillRef(state, ref, sha) };
  }),
  route('GET', '/git/matching-refs/(?<ref>.+)', (call, state) => ({
    status: 200,
    body: Object.entries(state.store.refs())
      .filter(([name]) => name.startsWith(`refs/${call.params.ref}`))
      .map(([name, sha]) => fillRef(state, name, sha)),
  })),
];

const objectRoutes: readonly Route[] = [
  route('POST', '/git/trees', (call, state) => {
    const { base_tree: base, tree } = call.body as {
      base_tree?: string;
      tree: { path: string; mode: string; sha?: string | null; content?: string }[];
    };
    if (base !== undefined && !state.store.hasObject(base)) return error(404, 'Not Found');
    // null deletes a file; one of both must be there, and only one
    if (tree.some(t => (t.sha === undefined) === (t.content === undefined)))
      return error(422, 'Must supply either tree.sha or tree.content');
    const changes = tree.map(
      ({ path, mode, sha = null, content }): TreeChange => ({
        path,
        mode,
        sha: content === undefined ? sha : state.store.blob(content),
      }),
    );
    const sha = state.store.tree(base, changes);
    return { status: 201, body: { sha, url: `${state.url}/x`, truncated: false, tree: [] } };
  }),
  route('POST', '/git/commits', (call, state) => {
    const given = call.body as { message: string; tree: string; parents?: string[] };
    const { login, id } = state.actor;
    const who = { name: login, email: `${id}+${login}@users.noreply.github.com` };
    const { message, tree, parents = [] } = given;
    const sha = state.store.writeCommit({
      tree,
      parents,
      message,
      at: new Date(state.now()),
      by: who,
    });
    return { status: 201, body: fillCommit(state, sha) };
  }),
];

/** Why GitHub opens no pull request from this head into this base; undefined when it does. */
function findInvalid(state: State, head: string, base: string): readonly object[] | undefined {
  const unknown = [
    { field: 'head', name: head },
    { field: 'base', name: base },
  ].filter(({ name }) => findBranch(state, name) === undefined);
  if (unknown.length > 0)
    return unknown.map(({ field }) => ({ resource: 'PullRequest', field, code: 'invalid' }));
  if (head === base) {
    const message = `No commits between ${base} and ${head}`;
    return [{ resource: 'PullRequest', code: 'custom', message }];
  }
  const isOpen = [...state.pulls.values()].some(p => p.state === 'open' && p.head === head);
  const message = `A pull request already exists for ${head}.`;
  return isOpen ? [{ code: 'custom', message }] : undefined;
}

const pullRoutes: readonly Route[] = [
  route('GET', '/pulls', (call, state) => {
    const head = call.query.get('head')?.split(':')[1];
    const wanted = call.query.get('state') ?? 'open';
    const found = [...state.pulls.values()].filter(
      p => (head === undefined || p.head === head) && (wanted === 'all' || p.state === wanted),
    );
    // by default the newest come first
    const sorted = found.sort((a, b) => b.number - a.number);
    const shown = call.query.get('direction') === 'asc' ? sorted.toReversed() : sorted;
    const body = cutPage(shown, call.query).map(p => fillPull(state, p, 'pull-request-simple'));
    return { status: 200, body };
  }),
  route('POST', '/pulls', (call, state) => {
    const given = call.body as Pick<PullState, 'title' | 'head' | 'base'> & Partial<PullState>;
    const { title, body = '', head, base, draft = false } = given;
    const errors = findInvalid(state, head, base);
    if (errors !== undefined) return error(422, 'Validation Failed', { errors });
    const pull: PullState = {
      number: Math.max(0, ...state.pulls.keys(), ...state.issues.keys()) + 1,
      title,
      body,
      head,
      base,
      draft,
      state: 'open',
      fork: false,
      labels: [],
      user: state.actor,
      createdAt: new Date(state.now()).toISOString(),
    };
    state.pulls.set(pull.number, pull);
    return { status: 201, body: fillPull(state, pull, 'pull-request') };
  }),
];

export const routes: readonly Route[] = [
  route('GET', '', (_call, state) => ({
    status: 200,
    body: fillRepository(state, 'full-repository'),
  })),
  ...refRoutes,
  ...objectRoutes,
  ...pullRoutes,
];
