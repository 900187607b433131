/** Untrusted text in code spans, fences, titles and lines of the log. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  commandLine,
  fencedText,
  inertLog,
  inlineText,
  ownParagraph,
  plainParagraph,
  plainTitle,
} from '../../src/report/escape.ts';
import { isAll } from '../seed.ts';
import { untrusted } from './hostile.ts';
import { html } from './rendered.ts';

/** A port of what the runner does with each line of a step (ActionCommand.TryParseV2 and TryParse). */
function runnerCommand(line: string): string | undefined {
  const trimmed = line.trimStart();
  if (trimmed.startsWith('::')) {
    const end = trimmed.indexOf('::', 2);
    if (end > 1) return trimmed.slice(2, end).split(' ')[0] ?? '';
  }
  const open = line.indexOf('##[');
  const close = open < 0 ? -1 : line.indexOf(']', open);
  return close > open ? (line.slice(open + 3, close).split(' ')[0] ?? '') : undefined;
}

describe('single pieces', () => {
  it('a code span is longer than the backticks in it', () => {
    expect(html(inlineText('a `b` ``c`` `'))).toBe('<p><code>a `b` ``c`` `</code></p>');
  });

  it('a fence ends where it should', () => {
    fc.assert(
      fc.property(untrusted, input => {
        const rendered = html(`${fencedText(input, { maxChars: 5000 })}\n\nend`);
        expect(rendered.endsWith('<p>end</p>')).toBe(true);
        expect(rendered.match(/<pre>/g)).toHaveLength(1);
      }),
    );
  });

  it('titles ping nobody and close nothing', () => {
    const title = plainTitle('/merge Fixes #12 for @octocat\n<b>x</b> `y`');
    expect(title).not.toMatch(/#\d|@o|[`<>]|^\//);
  });

  it.each([
    'fixes #1',
    'Closes: o/r#1',
    'resolve GH-1',
    'fix https://github.com/o/r/issues/1',
    'fi*xes #1',
    ' /close #1',
    'fixed www.github.com/o/r/issues/1',
  ])('a title %j closes nothing and leads nowhere', input => {
    // the keywords and references in GitHub's documentation of linked issues
    const title = plainTitle(input);
    expect(title).not.toMatch(
      /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b:?\s+[\w./-]*(?:(?:#|GH-)\d|:\/\/)/i,
    );
    expect(title).not.toMatch(/#\d|GH-\d|:\/\/|www\.\w|^\s*\//i);
    expect(plainTitle('Fix the rounding')).toBe('Fix the rounding');
  });
});

it.each(['/merge', '/my-bot+test now', '  /cc', '/test:all', '/retest,please'])(
  '%s at the start of a line reaches no bot',
  line => {
    const text = fencedText(`first\n${line}\n/usr/bin/env`, { maxChars: 200 });
    expect(text).toContain(`\n| ${line}\n`);
    expect(text).toContain('\n/usr/bin/env');
  },
);

describe('a command as evidence', () => {
  it.each([
    "! grep -q '<<<' f",
    'test "$(ls *.js | wc -l)" -gt 3 && [[ -f a_b ]] > out',
    "grep 'a\\|b' `pwd`/x_ _y",
  ])('stands as it was: %s', line => {
    expect(commandLine(line)).toBe(line);
  });

  it('can be read back, on one line that links to nothing', () => {
    fc.assert(
      fc.property(untrusted, input => {
        const line = commandLine(input);
        expect(line === input ? line : JSON.parse(line)).toBe(input);
        expect(line).not.toMatch(
          /[\r\n\u2028\u2029\u0000-\u0008]|(?:^|\W)[@#][\w-]|:\/\/|\bgh-\d|\bwww\./i,
        );
      }),
    );
  });
});

describe('lines of the log', () => {
  it('hold no command for the runner, whatever a child printed', () => {
    const piece = fc.constantFrom(
      '::',
      ':',
      '##[',
      '##',
      '[',
      ']',
      'set-output',
      'add-mask',
      ' ',
      '\t',
      '\r',
      '\n',
      '\u2028',
      '\u0085',
      'x',
      '%0A',
      'stop-commands::x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), pieces => {
        for (const line of inertLog(pieces.join('')).split(/\r\n|[\n\r\u2028\u2029\u0085]/))
          expect(runnerCommand(line)).toBeUndefined();
      }),
      { numRuns: isAll ? 2000 : 200 },
    );
  });

  it('the port of the runner does find commands', () => {
    expect(runnerCommand('  ::set-output name=x::y')).toBe('set-output');
    expect(runnerCommand('x##[add-mask]y')).toBe('add-mask');
  });
});

it('a sentence of Photon’s own keeps its addresses, as code', () => {
  const url = 'https://github.com/o/r/issues/5#issuecomment-950';
  expect(ownParagraph(`Added to the task by wendy: ${url}`)).toBe(
    `Added to the task by wendy: \`${url}\``,
  );
  expect(plainParagraph(`See ${url}`)).toBe('See (link removed)');
});

describe('untrusted text', () => {
  it('can be copied: names that GitHub would link stand in code spans', () => {
    const said = `Photon could not restore o/r#3 of @ann at ${'a'.repeat(40)} (see GH-4), so photon/fix-1 stays.`;
    expect(plainParagraph(said)).toBe(
      `Photon could not restore \`o/r#3\` of \`@ann\` at \`${'a'.repeat(40)}\` (see \`GH-4\`), so photon/fix-1 stays.`,
    );
  });
});

it.each([
  ['&#9786; is wrong', '`&#9786;` is wrong'],
  ['(x&#9786;).', '(`x&#9786;`).'],
  ['of #12;', 'of `#12`;'],
])('%j keeps its punctuation apart from what stands in code', (said, shown) => {
  expect(plainParagraph(said)).toBe(shown);
});

describe('what is cut', () => {
  const pair = '\u{1f600}';

  it('is cut between characters, never inside one', () => {
    for (let n = 1; n < 40; n++) {
      const texts = [
        inlineText(pair.repeat(60), n),
        fencedText(pair.repeat(60), { maxChars: n }),
        plainTitle(pair.repeat(60), n + 10),
      ];
      for (const text of texts) expect(text.isWellFormed(), `${n}`).toBe(true);
    }
  });
});
