import { describe, expect, it } from 'vitest';
import {
  type CommandRecord,
  describeEnd,
  parseCommandRecord,
} from '../../../src/workspace/session/command-record.ts';

const record: CommandRecord = {
  caller: 'verify',
  argv: ['npm', 'test'],
  cwd: '',
  network: false,
  startedAt: 1,
  durationMs: 2,
  end: 'ended',
  exitCode: 1,
  signal: null,
  limit: null,
  outputBytes: 3,
  outputTail: 'no',
  files: 'unknown',
};

describe('the end of a command', () => {
  it.each<[Partial<CommandRecord>, string]>([
    [{}, 'exit 1'],
    [{ exitCode: null, signal: 'SIGKILL' }, 'ended by SIGKILL'],
    [{ end: 'limit', limit: 'time' }, 'stopped at its time limit'],
    [{ end: 'cancelled' }, 'cancelled'],
    [{ end: 'not_started' }, 'could not be started'],
  ])('%j is "%s"', (more, words) => expect(describeEnd({ ...record, ...more })).toBe(words));
});

describe('a stored command', () => {
  it('is read as it was', () => {
    expect(parseCommandRecord(JSON.stringify(record))).toEqual(record);
  });

  it.each([
    '{',
    '[]',
    JSON.stringify({ ...record, caller: 'somebody' }),
    JSON.stringify({ ...record, more: 1 }),
    JSON.stringify({ ...record, outputBytes: -1 }),
  ])('%s is malformed', stored => {
    expect(() => parseCommandRecord(stored)).toThrow(
      expect.objectContaining({ code: 'SESSION_INVALID' }),
    );
  });
});
