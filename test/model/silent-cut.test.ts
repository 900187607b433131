/** A window that is cut in silence, at any server: by the bytes for each token that was counted. */
import { describe, expect, it } from 'vitest';
import { type SilentCut, watchCuts } from '../../src/model/silent-cut.ts';

/** Bytes of a request that goes on with the one before it, and what was counted for it. */
type Counted = readonly [bytes: number, inputTokens: number, cachedTokens?: number];

/** So many messages; a conversation that was made smaller has others. */
const messagesOf = (count: number, version: number) =>
  Array.from({ length: count }, (_, i) => ({ role: 'user' as const, text: `${version} ${i}` }));

/** What the watch says of each request. */
function watched(
  counts: readonly Counted[],
  fingerprint: string,
): readonly (SilentCut | undefined)[] {
  const watch = watchCuts();
  watch.sawEvent({ system_fingerprint: fingerprint });
  let version = 0;
  return counts.map(([bytes, inputTokens, cachedTokens], i) => {
    if (bytes < (counts[i - 1]?.[0] ?? 0)) version += 1;
    const messages = messagesOf(i + 1, version);
    return watch.sawReply({ bytes, messages }, { inputTokens, cachedTokens });
  });
}

describe('a cut is told at once, and once', () => {
  it.each<[string, string, readonly Counted[], number]>([
    // ollama/ollama#17427: half of the context is left, and 2
    ['Ollama with its first context of 4,096', 'fp_ollama', [[30_000, 2050]], 2050],
    [
      'a server whose context of 8,192 is full',
      '',
      [
        [20_000, 5000],
        [30_000, 7500],
        [36_000, 8192],
        [40_000, 8192],
      ],
      8192,
    ],
    [
      'Ollama with a context of 8,192',
      'fp_ollama',
      [
        [28_000, 7000],
        [31_000, 7800],
        [33_400, 4098],
      ],
      8192,
    ],
    [
      'Ollama whose count stays',
      'fp_ollama',
      [
        [6000, 2000],
        [9000, 2000],
      ],
      2000,
    ],
    ['a server that is behind a proxy', '', [[30_000, 2050]], 2050],
    [
      'a server that leaves half',
      '',
      [
        [28_000, 7000],
        [31_000, 7800],
        [33_400, 4098],
      ],
      7800,
    ],
    [
      'a server that fills its window each time',
      '',
      [
        [28_000, 7000],
        [33_400, 8192],
        [36_000, 8192],
      ],
      8192,
    ],
    [
      'text of two bytes to a token, of which a part is gone',
      '',
      [
        [12_000, 6000],
        [18_000, 5000],
      ],
      6000,
    ],
  ])('%s', (_name, fingerprint, counts, window) => {
    const found = watched([...counts, [90_000, counts.at(-1)?.[1] ?? 1]], fingerprint);
    expect(found.slice(0, counts.length - 1)).toEqual(counts.slice(1).map(() => undefined));
    const [cut, again] = found.slice(-2);
    expect(cut?.window).toBe(window);
    expect(cut?.phrase).toContain(`counted ${counts.at(-1)?.[1]} input tokens`);
    expect(cut?.phrase).toContain(fingerprint === '' ? '--ctx-size' : 'OLLAMA_CONTEXT_LENGTH');
    expect(again).toBeUndefined();
  });
});

describe('nothing is told', () => {
  it.each<[string, readonly Counted[]]>([
    [
      'an endpoint that always counts 100',
      Array.from({ length: 4 }, (_, i) => [9_000 + 4_000 * i, 100]),
    ],
    [
      'an endpoint that always counts 1,234',
      Array.from({ length: 4 }, (_, i) => [9_000 + 4_000 * i, 1234]),
    ],
    [
      'of a conversation that grows by text of another kind',
      [
        [20_000, 6700],
        [40_000, 9700],
        [60_000, 12_500],
      ],
    ],
    [
      'of a conversation that was made smaller',
      [
        [30_000, 7500],
        [15_000, 3800],
        [16_000, 4100],
        [30_000, 7300],
      ],
    ],
    [
      'of a prompt that is as good as the same',
      [
        [6000, 2000],
        [6100, 2000],
      ],
    ],
    [
      'of an endpoint that does not count',
      [
        [30_000, 0],
        [40_000, 0],
      ],
    ],
    [
      'of an endpoint that counts what is new alone',
      [
        [30_000, 7500],
        [33_000, 760],
        [36_000, 740],
      ],
    ],
    [
      'of an endpoint that counts its cache apart',
      [
        [30_000, 7500],
        [45_000, 3700, 3700],
        [60_000, 3700, 3700],
      ],
    ],
    [
      'of a short request with few tokens',
      [
        [4_000, 300],
        [5_000, 460],
      ],
    ],
    [
      'of code that is full of blanks',
      [
        [40_000, 5400],
        [60_000, 8000],
      ],
    ],
  ])('%s', (_name, counts) => {
    expect(watched(counts, '')).toEqual(counts.map(() => undefined));
  });

  it('of a conversation whose densest part was replaced by more of another kind', () => {
    const watch = watchCuts();
    const dense = { bytes: 30_000, messages: messagesOf(9, 0) };
    const sparse = { bytes: 32_000, messages: messagesOf(10, 1) };
    expect(watch.sawReply(dense, { inputTokens: 11_800 })).toBeUndefined();
    expect(watch.sawReply(sparse, { inputTokens: 7000 })).toBeUndefined();
  });

  it('of events that are no objects', () => {
    const watch = watchCuts();
    watch.sawEvent(null);
    expect(watch.sawReply({ bytes: 6000, messages: [] }, { inputTokens: 2000 })).toBeUndefined();
  });
});
