/** Edits land where they were meant: what the results showed under a number, in whole runs of the engine. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../src/audit/audit.ts';
import type { Message } from '../../src/model/turn.ts';
import { type EngineDouble, openEngine, type Played } from '../doubles/engine.ts';
import type { ScriptedCall, ScriptedTurn } from '../doubles/model.ts';
import { isAll } from '../seed.ts';

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
  const insert = edit(5, 4, '// new 1\n// new 2\n// new 3');

  it('is refused in a later reply when the lines have moved, and the refusal shows them', async () => {
    const played = await bench.play([
      ...opening,
      reply(read(1, count)),
      reply(insert),
      reply(edit(15, 16, '// x')),
      reply(edit(18, 19, '// fifteen and sixteen')),
    ]);
    expect(patchesOf(played)).toEqual(['pass', 'STALE_READ', 'pass']);
    const refusal = resultsOf(played.messages).at(-2)?.text;
    expect(refusal).toContain('15\t// line 12\n16\t// line 13\n');
    expect(refusal).toContain('18\t// line 15\n19\t// line 16\n');
    expect(textOf(played)).toContain('// line 14\n// fifteen and sixteen\n// line 17\n');
    expect(
      auditLedger(played.ledgerText, { shipped: bench.policy, complete: true }).finding,
    ).toBeUndefined();
  });

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
    ]);
    expect(patchesOf(played)).toEqual(['pass', 'pass', 'STALE_READ', 'STALE_READ']);
    expect(textOf(played)).toContain('// line 14\n// both\n// line 17\n');
  });
});

type Move =
  | { readonly kind: 'read'; readonly start: number; readonly size: number }
  | { readonly kind: 'undo' }
  | {
      readonly kind: 'edit';
      readonly start: number;
      readonly size: number;
      readonly made: number;
      readonly says: boolean;
    };

const start = fc.integer({ min: 1, max: count + 4 });
const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('read'),
      start,
      size: fc.integer({ min: 1, max: 16 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('edit'),
      start,
      size: fc.integer({ min: 0, max: 3 }),
      made: fc.integer({ min: 0, max: 3 }),
      says: fc.boolean(),
    }),
  },
);

/** The lines that an edit would say it replaces, if it counted in the first numbers. */
const saidOf = ({ start: from, size }: { readonly start: number; readonly size: number }) => {
  const lines = original.slice(from - 1, from - 1 + size);
  return lines.length === size && size > 0 ? lines : undefined;
};

/** The numbered rows of a result: those of a read, or of a diff, whose texts have a sign. */
function rowsOf(name: string, text: string): readonly (readonly [number, string])[] {
  const isRead = name === 'read_code_block' || text.startsWith('STALE_READ');
  return text.split('\n').flatMap(row => {
    const found = /^(\d+)\t(.*)$/.exec(row);
    if (found === null) return [];
    const [, number, shown = ''] = found;
    return [[Number(number), isRead ? shown : shown.slice(1)] as const];
  });
}

/** The text that a file must have, when each edit that passed changed what the model saw under its numbers. */
function expectedOf(replies: readonly (readonly Move[])[], played: Played): string {
  const results = resultsOf(played.messages);
  const decisions = played.entries.filter(e =>
    ['apply_patch', 'read_code_block', 'undo'].includes(e.tool),
  );
  let lines: readonly string[] = original;
  const undone: (readonly string[])[] = [];
  const view = new Map<number, string>(original.map((text, i) => [i + 1, text]));
  // the results of the opening and of the first read
  let at = 4;
  let entry = 1;
  let made = 0;
  for (const moves of replies) {
    const fresh: (readonly [number, string])[] = [];
    let isMerged = false;
    const before = lines;
    for (const each of moves) {
      const result = results[at];
      at += 1;
      if (result !== undefined) fresh.push(...rowsOf(result.name, result.text));
      // reads side by side are one call
      if (each.kind === 'read' && isMerged) continue;
      isMerged = each.kind === 'read';
      const { decision } = decisions[entry] ?? { decision: 'none' };
      entry += 1;
      if (each.kind === 'undo') lines = undone.pop() ?? lines;
      if (each.kind !== 'edit') continue;
      made += 1;
      if (decision !== 'pass') continue;
      undone.push(lines);
      const texts = Array.from({ length: each.made }, (_, n) => `// made ${made}.${n}`);
      const said = each.says ? saidOf(each) : undefined;
      const meant = said ?? Array.from({ length: each.size }, (_, n) => view.get(each.start + n));
      const first = lines.indexOf(meant[0] ?? '');
      const isInsert = each.size === 0;
      if (isInsert) {
        const next = before.slice(each.start - 1).find(text => lines.includes(text));
        const place = next === undefined ? lines.length : lines.indexOf(next);
        lines = lines.toSpliced(place, 0, ...texts);
      } else {
        expect(lines.slice(first, first + each.size)).toEqual(meant);
        lines = lines.toSpliced(first, each.size, ...texts);
      }
    }
    for (const [number, text] of fresh) view.set(number, text);
  }
  return lines.map(line => `${line}\n`).join('');
}

it('no edit of a random run changes a line other than the one that was last shown under its number', async () => {
  let passed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(move, { minLength: 1, maxLength: 3 }), { minLength: 3, maxLength: 8 }),
      async replies => {
        let made = 0;
        const turns = replies.map(moves =>
          reply(
            ...moves.map(each => {
              if (each.kind === 'read') return read(each.start, each.start + each.size - 1);
              if (each.kind === 'undo') return call('undo', {});
              made += 1;
              const content = Array.from({ length: each.made }, (_, n) => `// made ${made}.${n}`);
              const old = each.says ? saidOf(each)?.join('\n') : undefined;
              return edit(each.start, each.start + each.size - 1, content.join('\n'), old);
            }),
          ),
        );
        const played = await bench.play([...opening, reply(read(1, count)), ...turns]);
        if (played.ending !== 'abstained ABSTAINED') return;
        passed += patchesOf(played).filter(d => d === 'pass').length;
        expect(textOf(played)).toBe(expectedOf(replies, played));
        const audit = auditLedger(played.ledgerText, { shipped: bench.policy, complete: true });
        expect(audit.finding).toBeUndefined();
      },
    ),
    { numRuns: isAll ? 1000 : 40 },
  );
  expect(passed).toBeGreaterThan(80);
});
