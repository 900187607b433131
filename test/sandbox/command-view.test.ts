import { expect, it } from 'vitest';
import { type ContainedCommandEnd, commandFacts } from '../../src/sandbox/command-view.ts';

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
