/** One publication of each kind over the double: the same request in this process and in one of its own. */
import { openGitHub } from '../../../src/hosts/github/api/client.ts';
import type { GitHubOptions } from '../../../src/hosts/github/api/github.ts';
import {
  type PublishRequest,
  type PublishResult,
  publishPatch,
  pushCommit,
} from '../../../src/hosts/github/delivery/publish.ts';
import { postSuggestions } from '../../../src/hosts/github/delivery/suggest.ts';
import type { FileChange } from '../../../src/workspace/files/change.ts';
import type { GitHubDouble } from '../../doubles/github.ts';

export const seed = {
  'a.txt': 'one\n',
  'b.bin': { content: new Uint8Array([0, 1]) },
  'long.txt': `${Array.from({ length: 40 }, (_, i) => `line ${i + 1}`).join('\n')}\n`,
};

/** What a process of its own needs to know. */
export interface Publication {
  readonly kind: 'pull-request' | 'commit' | 'suggestions';
  readonly apiUrl: string;
  readonly token: string;
  readonly repository: string;
  readonly baseCommit: string;
  readonly baseTree: string;
  readonly expectedTree: string;
  /** Sets the words and the commit apart from those of another run. */
  readonly run: string;
  /** What the patch makes of `a.txt`. */
  readonly content: string;
  /** Absent: whatever is there. */
  readonly startedFrom?: string | null;
  /** Number of the pull request for commit and suggestions. */
  readonly pull?: number;
  readonly branch?: string;
  /** Path of a workflow file that the patch adds. */
  readonly workflowFile?: string;
}

/** The publication with what its patch makes of `a.txt`. */
export function withContent({ store }: GitHubDouble, p: Publication, content: string): Publication {
  const expectedTree = store.tree(p.baseCommit, [
    { path: 'a.txt', mode: '100644', sha: store.blob(content) },
    { path: 'c.bin', mode: '100755', sha: store.blob(new Uint8Array([0, 255, 1])) },
    { path: 'b.bin', mode: '0', sha: null },
  ]);
  return { ...p, content, expectedTree };
}

const text = (s: string) => Buffer.from(s);

export const changes = (content: string): readonly FileChange[] => [
  {
    path: 'a.txt',
    before: { mode: '100644', bytes: text('one\n') },
    after: { mode: '100644', bytes: text(content) },
  },
  {
    path: 'c.bin',
    before: undefined,
    after: { mode: '100755', bytes: new Uint8Array([0, 255, 1]) },
  },
  { path: 'b.bin', before: { mode: '100644', bytes: new Uint8Array([0, 1]) }, after: undefined },
];

const extras: PublishRequest['extras'] = {
  labels: ['bot'],
  reviewers: ['ann'],
  teamReviewers: ['core'],
  assignees: ['bob'],
  autoMerge: 'squash',
  held: false,
};

export function requestOf(p: Publication, over: Partial<PublishRequest> = {}): PublishRequest {
  const { baseCommit, baseTree, expectedTree, run, workflowFile: path } = p;
  const after = { mode: '100644' as const, bytes: text('on: push\n') };
  const workflow = path === undefined ? [] : [{ path, before: undefined, after }];
  const message = ['Two', '', 'Photon-Task: task-1', `Photon-Run: ${run}`];
  return {
    baseCommit,
    baseTree,
    expectedTree,
    changes: [...changes(p.content), ...workflow],
    baseRef: 'main',
    branch: p.branch ?? 'photon/task-1',
    taskId: 'task-1',
    commitMessage: `${[...message, `Photon-Tree: ${expectedTree}`].join('\n')}\n`,
    renderText: () => ({ title: `Two by ${run}`, body: 'Body <!-- photon:task=task-1 -->' }),
    draft: false,
    extras,
    dispatchWorkflow: 'ci.yml',
    ...(p.startedFrom === undefined ? {} : { startedFrom: p.startedFrom }),
    ...over,
  };
}

export function clientOf(
  { apiUrl, token, repository }: Pick<Publication, 'apiUrl' | 'token' | 'repository'>,
  more: Partial<
    Pick<GitHubOptions, 'deadline' | 'log' | 'signal' | 'requestTimeoutMs' | 'posted'>
  > = {},
) {
  return openGitHub({
    repository,
    apiUrl,
    token,
    now: Date.now,
    mutationSpacingMs: 0,
    log: more.log ?? (() => {}),
    deadline: more.deadline ?? Date.now() + 60_000,
    signal: more.signal ?? new AbortController().signal,
    requestTimeoutMs: more.requestTimeoutMs,
    posted: more.posted ?? new Map(),
  });
}

/** Carries a publication out to its end. */
export async function carryOut(
  p: Publication,
  client: Parameters<typeof clientOf>[1] = {},
): Promise<PublishResult | 'moved'> {
  const github = await clientOf(p, client);
  const request = requestOf(p, { rescue: () => clientOf(p) });
  const pull = { number: p.pull ?? 0, url: 'http://127.0.0.1/' };
  switch (p.kind) {
    case 'pull-request':
      return publishPatch(github, request);
    case 'commit':
      return pushCommit(github, { ...request, branch: p.branch ?? '', pull });
    case 'suggestions':
      return postSuggestions(github, {
        pull,
        head: p.baseCommit,
        render: shown => ({
          body: 'Suggested <!-- photon:task=task-1 -->',
          marker: '<!-- photon:task=task-1 -->',
          comments: shown.has('a.txt')
            ? [{ path: 'a.txt', start: 1, end: 1, body: '```suggestion\ntwo\n```' }]
            : [],
        }),
      });
  }
}
