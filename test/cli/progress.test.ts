import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openProgress } from '../../src/cli/progress.ts';

describe('progress', () => {
  const secret = 'sk-canary-12345678';

  function fake(isLive: boolean) {
    const seen = { lines: [] as string[], live: [] as string[], now: 0 };
    const live = { columns: 40, show: (line: string) => void seen.live.push(line) };
    const terminal = {
      tell: (text: string) => void seen.lines.push(text),
      now: () => seen.now,
      live: isLive ? live : undefined,
    };
    return { seen, terminal };
  }

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('without a terminal tells after a silence what runs, and the end of its output', () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: false });
    progress.hide(text => text.replaceAll(secret, '***'));
    progress.watch?.phase('VERIFY');
    const shown = progress.watch?.begin('npm test');
    shown?.output(`first\nlast ${secret}\n  }\n`);
    seen.now = 65_000;
    vi.advanceTimersByTime(1000);
    expect(seen.lines[0]).toBe('  testing 1:05  npm test: last ***\n');
    progress.close();
    const count = seen.lines.length;
    seen.now = 200_000;
    vi.advanceTimersByTime(60_000);
    expect(seen.lines).toHaveLength(count);
  });

  it('on a terminal shows it in one line of its width', () => {
    const { seen, terminal } = fake(true);
    const progress = openProgress(terminal, { quiet: false });
    const outer = progress.watch?.begin('embedded engine');
    const inner = progress.watch?.begin('npm test\nsecond line');
    inner?.output('\x1b[1m\x1b_Ga\x1b\\\x1b[Xa line of output that is longer than the terminal\n');
    vi.advanceTimersByTime(1000);
    expect(seen.live.at(-1)).toMatch(/npm test: .*a line/);
    expect(Math.max(...seen.live.map(line => line.length))).toBeLessThan(40);
    expect(seen.live.join('')).not.toMatch(/second line|[\n\x1b]/);
    inner?.end();
    vi.advanceTimersByTime(1000);
    expect(seen.live.at(-1)).toMatch(/embedded engine$/);
    outer?.end();
    progress.close();
    expect(seen.live.at(-1)).toBe('');
    expect(seen.lines).toEqual([]);
  });

  it('leaves out what the model thinks and how the engine searches, but with --verbose', () => {
    for (const verbose of [false, true]) {
      const { seen, terminal } = fake(false);
      const progress = openProgress(terminal, { quiet: false, verbose });
      for (const line of ['[Think] Why.', 'Repair: 3 candidates.', 'grep: pass'])
        progress.line(line);
      progress.close();
      expect(seen.lines).toHaveLength(verbose ? 3 : 1);
    }
  });

  it('is silent with --quiet', () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: true });
    progress.line('a line');
    progress.group('Round 1');
    seen.now = 100_000;
    vi.advanceTimersByTime(60_000);
    progress.close();
    expect(seen.lines).toEqual([]);
  });
});
