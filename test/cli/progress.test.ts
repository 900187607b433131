import { describe, expect, it } from 'vitest';
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

  /** Waits until timers made the condition true. */
  async function until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise(resolve => setTimeout(resolve, 5));
  }

  it('without a terminal tells after a silence what runs, and the end of its output', async () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: false, everyMs: 20 });
    progress.hide(text => text.replaceAll(secret, '***'));
    progress.watch?.phase('VERIFY');
    const shown = progress.watch?.begin('npm test');
    shown?.output(`first\nlast ${secret}\n  }\n`);
    seen.now = 65_000;
    await until(() => seen.lines.length > 0);
    expect(seen.lines[0]).toBe('  testing 1:05  npm test: last ***\n');
    progress.close();
    const count = seen.lines.length;
    seen.now = 200_000;
    await new Promise(resolve => setTimeout(resolve, 60));
    expect(seen.lines).toHaveLength(count);
  });

  it('on a terminal shows it in one line of its width', async () => {
    const { seen, terminal } = fake(true);
    const progress = openProgress(terminal, { quiet: false });
    const outer = progress.watch?.begin('embedded engine');
    const inner = progress.watch?.begin('npm test\nsecond line');
    inner?.output('\x1b[1m\x1b_Ga\x1b\\\x1b[Xa line of output that is longer than the terminal\n');
    await until(() => seen.live.some(line => /npm test: .*a line/.test(line)));
    expect(Math.max(...seen.live.map(line => line.length))).toBeLessThan(40);
    expect(seen.live.join('')).not.toMatch(/second line|[\n\x1b]/);
    inner?.end();
    await until(() => seen.live.at(-1)?.endsWith('embedded engine') === true);
    outer?.end();
    progress.close();
    expect(seen.live.at(-1)).toBe('');
    expect(seen.lines).toEqual([]);
  });

  it('is silent with --quiet', async () => {
    const { seen, terminal } = fake(false);
    const progress = openProgress(terminal, { quiet: true, everyMs: 1 });
    progress.line('a line');
    progress.group('Round 1');
    seen.now = 100_000;
    await new Promise(resolve => setTimeout(resolve, 20));
    progress.close();
    expect(seen.lines).toEqual([]);
  });
});
