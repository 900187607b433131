/** The operations of GitHub's API that a delivery needs: objects, references and pull requests of one repository. */
import {
  error,
  fillCommit,
  fillPull,
  fillRef,
  fillRepository,
  type PullState,
  type Route,
  route,
  type State,
} from './api.ts';
import type { TreeChange } from './object-store.ts';

const findBranch = ({ store }: State, name: string) => store.commitOf(`refs/heads/${name}`);

const refRoutes: readonly Route[] = [
  route('GET', '/rules/branches/.+', () => ({ status: 200, body: [] })),
  route('POST', '/git/refs', (call, state) => {
    const { ref, sha } = call.body as { ref: string; sha: string };
    if (state.store.commitOf(ref) !== undefined) return error(422, 'Reference already exists');
    if (!state.store.hasObject(sha)) return error(422, 'Object does not exist');
    state.store.setRef(ref, sha);
    return { status: 201, body: fillRef(state, ref, sha) };
  }),
  route('GET', '/git/ref/(?<ref>.+)', (call, state) => {
    const ref = `refs/${call.params.ref}`;
    const sha = state.store.commitOf(ref);
    if (sha === undefined) return error(404, 'Not Found');
    return { status: 200, body: fillRef(state, ref, sha) };
  }),
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
