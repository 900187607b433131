/** Edits land where they were meant: what the results showed under a number, in whole runs of the engine. Random edits: `seen-lines.test.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/model/turn.ts';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';

const count = 24;
const original = Array.from({ length: count }, (_, i) => `// line ${i + 1}`);
const files = { 'a.js': `${original.join('\n')}\n` };
const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });
const reply = (...calls: readonly ScriptedCall[]): ScriptedTurn => ({
  text: 'It is needed for the task.',
  calls,
});
const read = (start: number, end: number) =>
  call('read_code_block', {
    requests: [{ file_path: 'a.js', start_line: start, end_line: end }],
  });
const edit = (start: number, end: number, content: string, old?: string) =>
  call('apply_patch', {
    files: [{ path: 'a.js', edits: [{ start_line: start, end_line: end, content, old }] }],
  });
const opening = [
  reply(
    call('skill_activate', { skill_name: 'code-modify' }),
    call('plan', {
      entry_symbols: ['a'],
      affected_files: ['a.js'],
      scope: 's',
      max_changed_lines: 500,
    }),
    call('list_project_files', {}),
  ),
];

let bench: EngineDouble;
beforeAll(async () => {
  bench = await openEngine({ files, passes: () => true, profile: 'photon' });
});
afterAll(() => bench.close());

const textOf = (played: Played) => {
  const change = played.changes.find(c => c.path === 'a.js');
  return Buffer.from(change?.after?.bytes ?? files['a.js']).toString();
};
const patchesOf = (played: Played) =>
  played.entries.filter(e => e.tool === 'apply_patch').map(e => e.code ?? e.decision);
const resultsOf = (messages: readonly Message[]) =>
  messages.flatMap(m => (m.role === 'tool' ? [m] : []));
const lastResult = (played: Played) => resultsOf(played.messages).at(-1)?.text ?? '';

describe('an edit by the numbers of an earlier result', () => {
  it('lands where the lines of a read are that it names', async () => {
    const before = await bench.play([...opening, reply(read(10, 20))]);
    const hash = /#\d{9}/.exec(lastResult(before))?.[0] ?? '';
    const played = await bench.play([
      ...opening,
      reply(read(1, 4)),
      reply(read(10, 20)),
      reply(edit(3, 2, '// new')),
      reply(edit(15, 16, '// both', hash)),
      reply(edit(15, 16, '// again', hash)),
      reply(edit(3, 3, '// else', hash)),
      reply(edit(12, 12, '// twelve', '// line 12')),
      reply(edit(9, 9, '// six', '// line 6')),
    ]);
    const codes = ['pass', 'pass', 'STALE_READ', 'STALE_READ', 'pass', 'STALE_READ'];
    expect(patchesOf(played)).toEqual(codes);
    expect(textOf(played)).toContain('// line 11\n// twelve\n// line 13\n');
    expect(textOf(played)).toContain('// line 14\n// both\n// line 17\n');
  });
});
