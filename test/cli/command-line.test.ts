import { describe, expect, it } from 'vitest';
import { colourText, runCommandLine } from '../../src/cli/command-line.ts';
import { fitColumns } from '../../src/cli/progress.ts';
import type { Terminal } from '../../src/cli/terminal.ts';

it.each([
  ['nosuch --color=always', /^\u001b\[31m.*error:/],
  ['nosuch --color never', /^error: There is no command "nosuch"/],
  ['--color auto nosuch', /^error: There is no command "nosuch"/],
  ['nosuch --color sometimes', /^error: --color takes auto, always or never/],
])('%s shows colours as it asks for', async (line, told) => {
  let text = '';
  const terminal = {
    env: {},
    colours: { out: false, error: false },
    tell: (more: string) => {
      text += more;
    },
  } as unknown as Terminal;
  expect(await runCommandLine(line.split(' '), terminal)).toBe(2);
  expect(text).toMatch(told);
});

describe('progress', () => {
  it('counts wide characters twice, and colours by line', () => {
    expect(fitColumns('日本語abc', 5)).toBe('日本');
    expect(fitColumns('abc', 10)).toBe('abc');
    expect(colourText('error: no\n+ added\nplain')).toBe(
      '\u001b[31m\u001b[1merror:\u001b[22m\u001b[39m no\n\u001b[32m+ added\u001b[39m\nplain',
    );
  });
});
