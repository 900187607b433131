import { describe, expect, it } from 'vitest';
import { openSymbolThread } from '../../src/navigation/symbol-thread.ts';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../root.ts';

const shipped = openShipped(root);
const short = 'import { b } from "b";\nexport function a() {\n  return b(1);\n}\n// b\n';
/** Long enough for the thread. */
const text = short + '// text\n'.repeat(3_000);
/** A text that takes seconds: its brackets never close, so the parser tries to repair it to the end. */
const endless = 'foo(a, { b in if c { \n'.repeat(30_000);

describe('the symbol index in a thread', () => {
  it('answers as the index in this thread does', async () => {
    const [thread, here] = [openSymbolThread(shipped, shipped), openSymbols(shipped)];
    const [symbol] = await here.symbolsOf('a.ts', text);
    expect(symbol?.name).toBe('a');
    if (symbol === undefined) return;
    expect(await thread.symbolsOf('a.ts', text)).toEqual([symbol]);
    expect(await thread.callsOf('a.ts', text, symbol)).toEqual(['b']);
    expect(await thread.linesNaming('a.ts', text, 'b')).toEqual([1, 3]);
    expect(await thread.syntaxErrors('a.ts', text)).toEqual([]);
    expect(await thread.syntaxErrors('a.ts', 'function (')).toEqual(
      await here.syntaxErrors('a.ts', 'function ('),
    );
    expect(await thread.syntaxErrors('a.txt', text)).toBe('unknown-language');
    expect(await thread.linesNaming('a.txt', text, 'b')).toBe(null);
    expect(await thread.symbolsOf('a.ts', short)).toEqual([symbol]);
    expect(thread.notParsed('a.ts', text)).toBe(null);
    expect(thread.notParsed('a.ts', 'x'.repeat(20_001))).toContain('not parsed');
    await thread.close();
  });

  it('ends with its run: a text that is parsed then gets no answer, and the thread of another run goes on', async () => {
    const [thread, other] = [
      openSymbolThread(shipped, shipped),
      openSymbolThread(shipped, shipped),
    ];
    const open = thread.symbolsOf('a.ts', text);
    await thread.close();
    expect(await open).toEqual([]);
    expect(await thread.symbolsOf('b.ts', text)).toEqual([]);
    expect(await other.symbolsOf('a.ts', text)).toMatchObject([{ name: 'a' }]);
    await other.close();
  });

  it('ends a text that takes too long, says so, and goes on with the next', async () => {
    const thread = openSymbolThread(shipped, { root, maxMs: 400 });
    const [slow, next] = [
      thread.symbolsOf('a.swift', endless),
      thread.symbolsOf('a.js', 'let x = 1;\n'),
    ];
    // this thread stays free: a timer fires while the text is parsed
    let waited = 0;
    const timer = setInterval(() => {
      waited += 1;
    }, 10);
    expect(await slow).toEqual([]);
    clearInterval(timer);
    expect(waited).toBeGreaterThan(5);
    expect(thread.notParsed('a.swift', endless)).toContain('too long');
    expect(await next).toMatchObject([{ name: 'x' }]);
    // the same text is not tried again
    expect(await thread.syntaxErrors('b.swift', endless)).toBe('unknown-language');
    await thread.close();
  });
});
