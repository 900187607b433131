import { expect, it, vi } from 'vitest';
import type { Connections } from '../../../src/base/outcome.ts';
import { type ForkableView, shareSetUp } from '../../../src/verify/set-up/set-up-views.ts';
import type { FileChange } from '../../../src/workspace/files/change.ts';
import { changeOf, plainSetUp } from '../changes.ts';

interface FakeView extends ForkableView<FakeView> {
  readonly holds: readonly string[];
}

const change = (path: string) => changeOf(path, undefined, 'x');

/** A set-up over views that are lists: each entry is a changed path, or a command that ran in them. */
function fake(
  given: {
    readonly command?: string;
    readonly network?: 'none' | 'setup' | 'allow';
    readonly launcher?: string;
    readonly exitCode?: number;
    readonly log?: (line: string) => void;
    readonly connections?: readonly Connections[];
    /** What the command waits for. */
    readonly work?: () => Promise<void>;
  } = {},
) {
  const ran: string[] = [];
  let open = 0;
  const viewOf = (held: string[]): FakeView => {
    open += 1;
    return {
      path: '/view',
      enter: [],
      folders: [],
      holds: held,
      place: async states => void held.push(...states.keys()),
      fork: async changes => viewOf([...held, ...changes.map(c => c.path)]),
      close: async () => {
        open -= 1;
      },
    };
  };
  const sandbox = {
    launcher: given.launcher ?? 'bubblewrap',
    setUpNetwork: () => ['HTTPS_PROXY', '.npmrc'],
    run: async (command: { argv: string[]; network: boolean; view: FakeView }) => {
      const line = `${command.argv.at(-1)}${command.network ? ' online' : ''}`;
      ran.push(line);
      await given.work?.();
      (command.view.holds as string[]).push(line);
      return {
        began: true,
        limit: undefined,
        cancelled: false,
        exitCode: given.exitCode ?? 0,
        output: '',
        connections: given.connections ?? [],
      };
    },
  };
  const setUp = shareSetUp<FakeView>({
    sandbox: async () => sandbox,
    openView: async (_sandbox: unknown, changes: readonly FileChange[]) =>
      viewOf(changes.map(c => c.path)),
    command: given.command ?? 'npm ci',
    files: async () => plainSetUp,
    network: given.network ?? 'setup',
    timeoutMs: 600_000,
    scrub: (text: string) => text,
    log: given.log ?? (() => {}),
  } as unknown as Parameters<typeof shareSetUp<FakeView>>[0]);
  const signal = new AbortController().signal;
  const holds = async (...paths: string[]) => (await setUp(paths.map(change), signal)).view.holds;
  return { holds, ran, setUp, open: () => open };
}

it('an installation runs once for the base and every patch that it does not depend on', async () => {
  const { holds, ran } = fake();
  expect(await Promise.all([holds(), holds('a.js'), holds('a.js', 'b.js')])).toEqual([
    ['npm ci online'],
    ['npm ci online', 'a.js'],
    ['npm ci online', 'a.js', 'b.js'],
  ]);
  expect(ran).toEqual(['npm ci online']);
});

it.each([
  ['setup', 'npm ci', 'package.json', ['npm ci online', 'package.json', 'npm ci']],
  ['setup', 'npm ci && npm run x', 'a.js', ['npm ci && npm run x online', 'a.js', 'npm run x']],
  [
    'allow',
    'npm ci && npm run x',
    'a.js',
    ['npm ci && npm run x online', 'a.js', 'npm run x online'],
  ],
  // nothing of the base may remain, such as the output for a file that the patch deletes
  ['allow', 'npm ci', 'package.json', ['package.json', 'npm ci online']],
  ['none', 'npm ci', 'package.json', ['package.json', 'npm ci']],
  ['none', 'make deps', 'a.js', ['a.js', 'make deps']],
] as const)('network: %s, %s, a patch of %s', async (network, command, path, expected) => {
  expect(await fake({ network, command }).holds(path)).toEqual(expected);
});

it('a patch that changes what the set-up reads leaves the result of the base as it is', async () => {
  const { holds } = fake();
  await holds('package.json');
  expect(await holds('a.js')).toEqual(['npm ci online', 'a.js']);
});

it('without a sandbox, each view has its own', async () => {
  const { holds, ran } = fake({ launcher: 'plain' });
  await holds();
  expect(await holds('a.js')).toEqual(['npm ci online', 'a.js']);
  expect(ran).toHaveLength(2);
});

it('one that fails is not tried again, and leaves no view', async () => {
  const { holds, ran, open } = fake({ exitCode: 1 });
  for (let i = 0; i < 2; i += 1)
    await expect(holds('a.js')).rejects.toMatchObject({
      code: 'SETUP_FAILED',
      message:
        'The set-up command failed with exit status 1, with network and HTTPS_PROXY, .npmrc:\nIt printed nothing.',
      hint: expect.not.stringContaining('no network'),
    });
  expect(ran).toHaveLength(1);
  expect(open()).toBe(0);
});

it('one that fails names the hosts that the proxy refused', async () => {
  const row = { port: 443, connections: 1, bytesIn: 0, bytesOut: 0 };
  const connections = [
    { ...row, host: 'registry.example.org', allowed: true, reason: '' },
    { ...row, host: 'cdn.example.org', allowed: false, reason: 'not in the setting network' },
  ];
  await expect(fake({ exitCode: 1, connections }).holds('a.js')).rejects.toMatchObject({
    message: expect.stringMatching(
      /\nRefused connections: cdn\.example\.org:443 \(not in the setting network\)\.$/,
    ),
  });
});

it('one that runs long tells so each minute', async () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const { setUp } = fake({
    log: line => lines.push(line),
    work: () => new Promise(resolve => setTimeout(resolve, 150_000)),
  });
  const done = setUp([], new AbortController().signal);
  await vi.advanceTimersByTimeAsync(400_000);
  await done;
  vi.useRealTimers();
  expect(lines).toEqual([
    'Set up: npm ci (with HTTPS_PROXY, .npmrc)',
    'Set up: still running after 60 of at most 600 seconds.',
    'Set up: still running after 120 of at most 600 seconds.',
  ]);
});
