/** What a model is told about failing tests before its first round, and for how long it waits for that. */
import { expect, it } from 'vitest';
import { withHints } from '../../../src/run/engines/hints.ts';

it('does not look where the settings allow no time', async () => {
  const run = {
    task: { prompt: 'Fix the failing tests.', context: [], trigger: 'cli' },
    kind: { changes: true },
    engine: { asksAModel: true },
    environment: { settings: { hintsMs: 0 } },
    input: { now: () => 0 },
  } as never;
  const limit = { deadline: 1000, signal: new AbortController().signal } as never;
  expect(await withHints(run, { testCommand: 'npm test' } as never, limit)).toBe(run);
});
