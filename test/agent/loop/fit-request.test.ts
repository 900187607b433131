import { afterAll, describe, expect, it } from 'vitest';
import type { LoopState } from '../../../src/agent/loop/loop-state.ts';
import { auditLedger } from '../../../src/audit/audit.ts';
import type { ModelRequest } from '../../../src/model/turn.ts';
import { bytesSent, type EngineDouble, openEngine } from '../../doubles/engine.ts';
import type { ScriptedCall, ScriptedTurn } from '../../doubles/model.ts';
import { isAll, randomOf } from '../../seed.ts';

const paths = ['a.txt', 'b.txt', 'c.txt', 'd.txt'];
const lineCount = 300;
/** Every line is unlike all others, so that a text shows which lines it holds. */
const files = Object.fromEntries(
  paths.map(path => [
    path,
    Array.from({ length: lineCount }, (_, i) => `${path} original ${i + 1} "quoted"\n`).join(''),
  ]),
);

interface Seen {
  readonly request: ModelRequest;
  /** The lines that may be changed, and their texts as they were shown. */
  readonly known: readonly (readonly [place: string, text: string | undefined])[];
}

let seen: Seen[] = [];
const engines = new Map<number, Promise<EngineDouble>>();
const engineOf = (window: number) => {
  const opened =
    engines.get(window) ??
    openEngine({
      files,
      window,
      passes: () => false,
      taskPaths: paths,
      onRequest: (request, state) => seen.push({ request, known: listKnown(state) }),
    });
  engines.set(window, opened);
  return opened;
};
afterAll(async () => {
  for (const engine of engines.values()) (await engine).close();
});

/** The share of each request that the next one begins with, by the messages of their bodies. */
function prefixShares(bodies: readonly { readonly messages: unknown }[]): readonly number[] {
  const texts = bodies.map(b => JSON.stringify(b.messages).slice(0, -1));
  return texts.slice(1).map((next, i) => {
    const before = texts[i] ?? '';
    let same = 0;
    while (same < before.length && before[same] === next[same]) same += 1;
    return same / before.length;
  });
}

const turn = (...calls: ScriptedCall[]): ScriptedTurn => ({
  text: 'I look at the next part and change what is wrong there.',
  calls,
});
const plan = (...affected_files: string[]) => ({
  name: 'plan',
  arguments: {
    entry_symbols: ['all'],
    affected_files,
    scope: 'everything',
    max_changed_lines: 300,
  },
});
const read = (file_path: string, start_line: number, end_line: number) => ({
  name: 'read_code_block',
  arguments: { requests: [{ file_path, start_line, end_line }] },
});
const edit = (path: string, start_line: number, content: string, end_line = start_line) => ({
  name: 'apply_patch',
  arguments: { files: [{ path, edits: [{ start_line, end_line, content }] }] },
});

/** A random run: reads, searches, patches of lines read long ago or just now, undone patches. */
function randomTurns(random: () => number): readonly ScriptedTurn[] {
  const below = (n: number) => Math.floor(random() * n);
  const first = turn(
    { name: 'skill_activate', arguments: { skill_name: 'test-repair' } },
    plan('a.txt', 'b.txt', 'c.txt'),
  );
  const turns = Array.from({ length: 45 }, (_, n) => {
    const path = paths[below(3)] ?? 'a.txt';
    const start = 1 + below(lineCount - 60);
    const kind = random();
    if (kind < 0.5) return turn(read(path, start, start + below(50)));
    if (kind < 0.6) return turn({ name: 'grep', arguments: { pattern: `original ${below(30)}` } });
    if (kind < 0.65) return turn(read('d.txt', 1, 40), read('b.txt', start, start + 20));
    if (kind < 0.7) return turn({ name: 'undo', arguments: {} });
    if (kind < 0.75) return turn({ name: 'patch', arguments: { all: true } });
    if (kind < 0.8) return turn(edit(path, start, `patched ${n}`));
    return [
      turn(read(path, start, start + 9)),
      turn(edit(path, start + 2, `patched ${n}\nand more ${n}`, start + 2 + below(3))),
    ];
  });
  return [first, ...turns.flat()];
}
function listKnown({ evidence, seen: shown }: LoopState): Seen['known'] {
  return [...evidence.known].flatMap(([path, lines]) =>
    [...lines].map(n => [`${path}:${n}`, shown.listKnown(path)?.get(n)] as const),
  );
}

/** Known lines whose text is nowhere in the request. */
function unseenLines({ request, known }: Seen): string[] {
  const shown = request.messages
    .map(m =>
      m.role === 'assistant' ? m.text + m.calls.map(c => c.argumentsText).join('\n') : m.text,
    )
    .join('\n')
    .replaceAll('\\"', '"');
  return known.flatMap(([place, text]) =>
    text !== undefined && shown.includes(text) ? [] : [place],
  );
}

describe('a conversation inside a window', () => {
  const windows = [8000, 12_000, 60_000];
  const runs = Array.from(
    { length: isAll ? 40 : 3 },
    (_, i) => [i, windows[i % 3] ?? 8000] as const,
  );

  it.each(runs)(
    'run %i in %i tokens: each request fits, and no line may be changed that it does not show',
    async (n, window) => {
      const engine = await engineOf(window);
      seen = [];
      const { ledgerText, ending } = await engine.play(randomTurns(randomOf(`window ${n}`)));
      expect(ending).toBe('abstained ABSTAINED');
      for (const each of seen) {
        expect(bytesSent(each.request) / 3 + each.request.maxOutputTokens).toBeLessThanOrEqual(
          window,
        );
        expect(unseenLines(each)).toEqual([]);
      }
      const report = auditLedger(ledgerText, { shipped: engine.policy, complete: true });
      expect(report.finding).toBeUndefined();
    },
  );

  it('continues the request before it, unless the conversation was made smaller', async () => {
    const engine = await engineOf(60_000);
    seen = [];
    await engine.play([
      turn(plan('a.txt')),
      ...Array.from({ length: 20 }, (_, i) => turn(read('b.txt', 1 + i * 10, 10 + i * 10))),
    ]);
    const transcripts = seen.map(({ request: r }) => r).filter(r => r.messages.length > 2);
    for (const share of prefixShares(transcripts)) expect(share).toBeGreaterThan(0.9);
  });

  it('refuses the edit of lines whose text was dropped, and accepts it after another read', async () => {
    const engine = await engineOf(8000);
    const long = Array.from({ length: 12 }, (_, i) => turn(read('b.txt', 1 + i * 24, 24 + i * 24)));
    const { entries } = await engine.play([
      turn(
        { name: 'skill_activate', arguments: { skill_name: 'test-repair' } },
        plan('a.txt', 'b.txt'),
      ),
      turn(read('a.txt', 1, 20)),
      ...long,
      turn(edit('a.txt', 5, 'changed')),
      turn(read('a.txt', 1, 20)),
      turn(edit('a.txt', 5, 'changed')),
    ]);
    const patches = entries.filter(e => e.tool === 'apply_patch');
    expect(patches.map(e => e.code)).toEqual(['STALE_READ', null]);
    expect(entries.some(e => e.tool === 'context.fit')).toBe(true);
  });
});
