import { expect, it } from 'vitest';
import {
  type ContainedCommandEnd,
  commandFacts,
  openCommandView,
} from '../../src/sandbox/command-view.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Session } from '../../src/workspace/session/session.ts';
import type { View } from '../../src/workspace/views/view.ts';

const end = (more: object = {}) =>
  ({
    exitCode: 0,
    signal: undefined,
    limit: undefined,
    output: 'fine\n',
    outputBytes: 5,
    refusedConnections: undefined,
    putBack: [],
    unexpectedWrites: [],
    ...more,
  }) as unknown as ContainedCommandEnd;
const facts = (more: object, scrubbed?: string) => {
  const ended = end(more);
  return commandFacts(ended, scrubbed ?? ended.output);
};

it('a quiet command has its exit status and its size', () => {
  expect(facts({})).toEqual({ exit: 0, outputBytes: 5 });
  expect(facts({ exitCode: undefined, signal: 'SIGKILL' })).toEqual({
    exit: 'SIGKILL',
    outputBytes: 5,
  });
});

it('what was contained is named', () => {
  const more = {
    limit: 'time',
    refusedConnections: 2,
    putBack: ['a'],
    unexpectedWrites: ['.x', '.y'],
  };
  expect(facts(more, 'other')).toEqual({
    outputBytes: 5,
    limit: 'time',
    refusedConnections: 2,
    putBack: 1,
    unexpectedWrites: '.x, .y',
    secretsRemoved: true,
  });
});

it.each([
  ['a\n  ::add-mask::x\n', true],
  ['##[group]x\n', true],
  ['a ::add-mask::x\n', undefined],
  ['std::vector<int>\n', undefined],
])('the output %j holds commands for the runner: %s', (output, holds) => {
  expect(facts({ output }).workflowCommands).toBe(holds);
});

it('a moved submodule is told of the command that moved it, and git looks once for each further command', async () => {
  const states = [[], ['one'], ['one'], ['one', 'two']];
  let looks = 0;
  const view = {
    place: async () => {},
    sync: async () => [],
    findMoved: async () => states[looks++] ?? [],
    takeBack: async () => ({ paths: [], written: new Map() }),
  } as unknown as View;
  const session = {
    changes: () => [],
    tree: async () => 't',
    files: async () => ['one', 'two'].map(path => ({ path, mode: '160000' })),
  } as unknown as Session;
  const notes: string[] = [];
  const commands = openCommandView(
    {
      sandbox: async () => ({ run: async () => end() }) as unknown as Sandbox,
      open: async () => view,
      note: text => notes.push(text),
    },
    session,
  );
  const run = async () => (await commands.run({ command: 'x' } as never)).modules;
  expect([await run(), await run(), await run()]).toEqual([['one'], [], ['two']]);
  expect(looks).toBe(4);
  expect(notes).toEqual([
    expect.stringContaining('the submodule one'),
    expect.stringContaining('the submodule two'),
  ]);
});
