/** Rules for the references of the GitHub double. */
import { fillRef } from '../../../src/demo/github/api.ts';
import { sample } from '../../contract/sample.ts';
import { error, type Route, route, type State } from '../github-routes.ts';

/** What a server does not support, or a repository forbids. Absent fields restrict nothing. */
export interface RefRules {
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

/** A change of a reference; `now` and `after` are undefined where it does not exist. */
interface RefChange {
  readonly ref: string;
  readonly now: string | undefined;
  readonly after: string | undefined;
}

const broken = (rule: string) => `Repository rule violations found\n\n${rule}`;

/** The reason to refuse a change of a ref; undefined when it is allowed. */
export function findRefusal(
  { store, refRules }: State,
  { ref, now, after }: RefChange,
): string | undefined {
  const { noForcePush, linearHistory, onlyByPull, noDeletion } = refRules;
  if (after === undefined)
    return now !== undefined && noDeletion?.test(ref)
      ? broken('Cannot delete this branch')
      : undefined;
  if (now !== undefined && onlyByPull?.test(ref))
    return broken('Changes must be made through a pull request.');
  if (now !== undefined && noForcePush?.test(ref) && !store.isAncestor(now, after))
    return broken('Cannot force-push to this branch');
  if (!linearHistory?.test(ref)) return undefined;
  const kept = [now, store.commitOf('main')].filter(c => c !== undefined);
  const known = new Set(kept.flatMap(c => [...store.files.ancestors(c)]));
  const fresh = [...store.files.ancestors(after)].filter(c => !known.has(c));
  const merges = fresh.some(
    c =>
      (store.files
        .read(c)
        ?.content.toString('utf8')
        .match(/^parent /gm)?.length ?? 0) > 1,
  );
  return merges ? broken('This branch must not contain merge commits.') : undefined;
}

/** Removes a reference. The open pull request of a removed branch is closed and keeps its head. */
function removeRef(state: State, ref: string): void {
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
    const refused = findRefusal(state, { ref: name, now: asKnown(now), after: asKnown(afterOid) });
    if (refused !== undefined) return refused;
  }
  for (const { name, afterOid } of updates) {
    if (afterOid === none) removeRef(state, name);
    else state.store.setRef(name, afterOid);
  }
  return undefined;
}

export const refRoutes: readonly Route[] = [
  route('POST', '/git/refs', (call, state) => {
    const { ref, sha } = call.body as { ref: string; sha: string };
    const refused = findRefusal(state, { ref, now: state.store.commitOf(ref), after: sha });
    return refused === undefined ? undefined : error(422, refused);
  }),
  route('GET', '/git/matching-refs/(?<ref>.+)', (call, state) => ({
    status: 200,
    body: Object.entries(state.store.refs())
      .filter(([name]) => name.startsWith(`refs/${call.params.ref}`))
      .map(([name, sha]) => fillRef(state, name, sha)),
  })),
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
];
