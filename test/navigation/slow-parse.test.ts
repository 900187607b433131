import { describe, expect, it } from 'vitest';
import { openSymbols } from '../../src/navigation/symbols.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { root } from '../harness.ts';
import { playsVariants, sample } from '../seed.ts';

describe('a text that is slow to parse', () => {
  const own = openSymbols(openShipped(root));
  // its brackets never close, so the parser tries to repair it to the end
  const endless = 'foo(a, { b in if c { \n'.repeat(45_000);

  const slowSteps = [
    ['a.sh', '$(( `a <<E \n'.repeat(70_000)],
    ['a.php', '<?php $a[$b{\n'.repeat(70_000)],
  ] as const;
  it.runIf(playsVariants).each(sample('slow steps of a parser', slowSteps, 1))(
    'is ended in %s, where one step takes ever longer',
    async (path, text) => {
      expect(await own.listSymbols(path, text)).toEqual([]);
      expect(own.notParsed(path, text)).toContain('too long');
    },
  );

  it('is ended, said to be so and not tried again, and the next one is parsed', async () => {
    expect(own.notParsed('a.swift', endless)).toBe(undefined);
    const [slow, next] = [
      own.listSymbols('a.swift', endless),
      own.listSymbols('a.js', 'let x = 1;\n'),
    ];
    expect(await slow).toEqual([]);
    expect(await next).toMatchObject([{ name: 'x' }]);
    expect(own.notParsed('a.swift', endless)).toContain('too long');
    expect(await own.syntaxErrors('b.swift', endless)).toBe('unknown-language');
    expect(await own.linesNaming('b.swift', endless, 'foo')).toBe(undefined);
    expect(own.notParsed('a.swift', 'let x = 1\n')).toBe(undefined);
    expect(await own.listSymbols('a.swift', 'let x = 1\n')).toMatchObject([{ name: 'x' }]);
  });

  it.runIf(playsVariants)(
    'gives lines by search when a name has too many uses deep inside',
    async () => {
      const deep = `a = ${'f(['.repeat(1_500)}${'x,\n'.repeat(20_000)}${'])'.repeat(1_500)};\n`;
      expect(await own.linesNaming('a.js', deep, 'x')).toBe(undefined);
      expect(await own.linesNaming('a.py', 'x = (x,\n"x", x)\n', 'x')).toEqual([1, 2]);
    },
  );
});
