import { describe, expect, it } from 'vitest';
import { watchCuts } from '../../src/model/silent-cut.ts';

const ollama = { system_fingerprint: 'fp_ollama' };

/** What is said of each request, as bytes and counted tokens, by an endpoint whose events are these. */
function watch(event: unknown, ...requests: readonly (readonly [number, number])[]) {
  const cuts = watchCuts();
  cuts.sawEvent(event);
  return requests.map(([bytes, tokens]) => cuts.sawReply(bytes, tokens) ?? '');
}

describe('an endpoint that cuts the prompt', () => {
  it('is noticed once, at the first longer prompt that counts no more tokens', () => {
    const said = watch(ollama, [6000, 2000], [9000, 2000], [12_000, 1024]);
    expect(said).toEqual(['', expect.stringContaining('Ollama counted 2000 input tokens'), '']);
    expect(said[1]).toContain('OLLAMA_CONTEXT_LENGTH');
  });

  it.each([
    ['its counts grow with the prompts', ollama, [6000, 2000, 9000, 3000]],
    ['the prompt became shorter', ollama, [9000, 3000, 6000, 2000]],
    ['the prompt is as good as the same', ollama, [6000, 2000, 6100, 2000]],
    ['it is another server', { system_fingerprint: 'fp_other' }, [6000, 2000, 9000, 2000]],
    ['its events are no objects', null, [6000, 2000, 9000, 2000]],
  ] as const)('is not believed in where %s', (_why, event, [first, counted, next, again]) => {
    expect(watch(event, [first, counted], [next, again])).toEqual(['', '']);
  });
});
