import { describe, expect, it } from 'vitest';
import { make } from '../../src/ecosystems/make.ts';
import { countCases, findTools } from './project.ts';

describe('make', () => {
  it('is the last resort: a target of the makefile, tests before checks', async () => {
    const makefile = (text: string) => findTools(make, { Makefile: text });
    expect(await makefile('check: all\ntest: all\n\ttrue\n')).toEqual([
      'make: make test () by Makefile',
    ]);
    expect(await makefile('check: all\n')).toEqual(['make: make check () by Makefile']);
    expect(await makefile('test := 1\nall: test\n')).toEqual([]);
  });

  it('takes the makefile that make itself takes', async () => {
    const files = { Makefile: 'all:\n', GNUmakefile: 'test:\n' };
    expect(await findTools(make, files)).toEqual(['make: make test () by GNUmakefile']);
  });

  countCases([
    ["make: Nothing to be done for 'test'.\n", 'make: 0 ran, 0 failed'],
    ["make: 'check' is up to date.\n", 'make: 0 ran, 0 failed'],
  ]);
});
