/** References of the GitHub double: all namespaces, compare-and-swap, and branch rules. */
import { sample } from '../../contract/sample.ts';
import { error, type Route, refBody, route, type State } from '../github-routes.ts';

/** What a server does not support, or a repository forbids. Absent fields restrict nothing. */
export interface RefRules {
  /** The server does not know the mutation. */
  readonly noUpdateRefs?: boolean;
  /** The server refuses refs outside of heads and tags. */
  readonly onlyHeadsAndTags?: boolean;
  /** Branches (`refs/heads/…`) that cannot be force-pushed. */
  readonly noForcePush?: RegExp;
  /** Branches that cannot hold merge commits. */
  readonly linearHistory?: RegExp;
  /** Existing branches that change only by merging a pull request. */
  readonly onlyByPull?: RegExp;
  /** Branches that cannot be deleted. */
  readonly noDeletion?: RegExp;
  /** Rules that are listed for each branch, and whether this token can bypass their ruleset. */
  readonly listed?: readonly { readonly type: string; readonly parameters?: object }[];
  readonly bypass?: 'always' | 'never';
}

function commitOf({ store }: State, ref: string): string | null {
  return store.commitOf(ref);
}

/** Removes a ref. The open pull request of a removed branch is closed and keeps its head. */
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

interface Setting {
  readonly ref: string;
  readonly now: string | null;
  readonly after: string | null;
}

const broken = (rule: string) => `Repository rule violations found\n\n${rule}`;

/** The reason to refuse a change of a ref; null when it is allowed. */
export function refusalOf({ store, refRules }: State, { ref, now, after }: Setting): string | null {
  const { onlyHeadsAndTags, noForcePush, linearHistory, onlyByPull, noDeletion } = refRules;
  if (after === null)
    return now !== null && noDeletion?.test(ref) ? broken('Cannot delete this branch') : null;
  if (onlyHeadsAndTags && !/^refs\/(?:heads|tags)\//.test(ref)) return 'Reference update failed';
  if (now !== null && onlyByPull?.test(ref))
    return broken('Changes must be made through a pull request.');
  if (now !== null && noForcePush?.test(ref) && !store.isAncestor(now, after))
    return broken('Cannot force-push to this branch');
  if (!linearHistory?.test(ref)) return null;
  const kept = [now, store.commitOf('main')].filter(c => c !== null);
  const known = new Set(kept.flatMap(c => [...store.files.ancestors(c)]));
  const fresh = [...store.files.ancestors(after)].filter(c => !known.has(c));
  const merges = fresh.some(
    c =>
      (store.files
        .read(c)
        ?.content.toString('utf8')
        .match(/^parent /gm)?.length ?? 0) > 1,
  );
  return merges ? broken('This branch must not contain merge commits.') : null;
}

/** Makes all changes or none. @returns the error message when it makes none. */
export function updateRefs(state: State, updates: readonly RefUpdate[]): string | null {
  for (const { name, afterOid, beforeOid, force } of updates) {
    const now = commitOf(state, name) ?? none;
    if (beforeOid && beforeOid !== now) return `Reference ${name} is at ${now}, not ${beforeOid}`;
    const forward = now === none || afterOid === none || state.store.isAncestor(now, afterOid);
    if (!forward && !force) return `Reference ${name} cannot be fast-forwarded`;
    const asRef = (oid: string) => (oid === none ? null : oid);
    const refused = refusalOf(state, { ref: name, now: asRef(now), after: asRef(afterOid) });
    if (refused !== null) return refused;
  }
  for (const { name, afterOid } of updates) {
    if (afterOid === none) removeRef(state, name);
    else state.store.files.setRef(name, afterOid);
  }
  return null;
}

export const refRoutes: readonly Route[] = [
  route('GET', '/rules/branches/(?<branch>.+)', (call, { refRules, repository }) => {
    const rules = [
      ['non_fast_forward', refRules.noForcePush],
      ['required_linear_history', refRules.linearHistory],
      ['deletion', refRules.noDeletion],
    ] as const;
    const from = { ruleset_source_type: 'Repository', ruleset_source: repository, ruleset_id: 1 };
    return {
      status: 200,
      body: rules
        .filter(([, branches]) => branches?.test(`refs/heads/${call.params.branch}`))
        .map(([type]): object => ({ type, ...from }))
        .concat((refRules.listed ?? []).map(rule => ({ ...rule, ...from }))),
    };
  }),
  route('GET', '/rulesets/(?<id>.+)', (_call, { refRules: { bypass } }) => ({
    status: 200,
    body: sample('repository-ruleset', { id: 1, current_user_can_bypass: bypass }),
  })),
  route('POST', '/git/refs', (call, state) => {
    const { ref, sha } = call.body as { ref: string; sha: string };
    if (commitOf(state, ref) !== null) return error(422, 'Reference already exists');
    if (state.store.files.read(sha) === null) return error(422, 'Object does not exist');
    const refused = refusalOf(state, { ref, now: null, after: sha });
    if (refused !== null) return error(422, refused);
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
    const refused = refusalOf(state, { ref, now: old, after: sha });
    if (refused !== null) return error(422, refused);
    state.store.files.setRef(ref, sha);
    return { status: 200, body: refBody(state, ref, sha) };
  }),
  route('DELETE', '/git/refs/(?<ref>.+)', (call, state) => {
    const ref = `refs/${call.params.ref}`;
    const now = commitOf(state, ref);
    if (now === null) return error(422, 'Reference does not exist');
    const refused = refusalOf(state, { ref, now, after: null });
    if (refused !== null) return error(422, refused);
    removeRef(state, ref);
    return { status: 204 };
  }),
];
