import fc from 'fast-check';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/codes.ts';
import type { Outcome } from '../../src/outcome.ts';
import { renderAnswer } from '../../src/report/answer.ts';
import { renderComment } from '../../src/report/comment.ts';
import { renderCommitMessage } from '../../src/report/commit-message.ts';
import { fencedText, inertLog, inlineText, plainTitle } from '../../src/report/escape.ts';
import { renderPullRequest } from '../../src/report/pull-request.ts';
import { renderSummary } from '../../src/report/summary.ts';
import { isAll } from '../seed.ts';
import { edit, evil, outcome, task, untrusted } from './hostile.ts';

const html = (markdown: string) =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

/** Rendered text outside of code. */
const active = (markdown: string) => html(markdown).replace(/<code[^>]*>[\s\S]*?<\/code>/g, '');

/** Whatever a model or a test wrote: what the reader's browser makes of it is inert. */
const recordsMark = `<!-- photon:records=20260101000000-abcdef01:${'6'.repeat(64)} -->`;

function expectInert(markdown: string): void {
  const rendered = active(markdown);
  expect(rendered).not.toMatch(/@\w/);
  expect(rendered.replace(/#5 by|#5\b/g, '')).not.toMatch(/(^|[^&\w])#\d|GH-\d/);
  expect(rendered).not.toMatch(/<(img|script|iframe|a|input|style|svg)\b/i);
  expect(rendered).not.toContain('evil.example');
  // the mark of the task, in a comment that of its end, and in a pull request that of its record changes
  const marks = /<!-- photon:end=VERIFY_FAILED -->/;
  expect(rendered.replace(recordsMark, '').replace(marks, '').match(/<!--/g) ?? []).toHaveLength(1);
  expect(rendered.match(/<details>/g)?.length ?? 0).toBe(
    rendered.match(/<\/details>/g)?.length ?? 0,
  );
  expect(markdown).not.toMatch(/[\u202a-\u202e\u200b]|[\u{e0000}-\u{e007f}]/u);
  expect(markdown.length).toBeLessThan(65_536);
}

describe('what Photon posts', () => {
  it.each(evil.map(e => [e.slice(0, 40), e]))('is inert with %j in every place', (_name, input) => {
    for (const status of [
      'failed',
      'rolled_back',
      'abstained',
      'needs_clarification',
      'no_change',
      'answered',
    ] as const)
      expectInert(renderComment(outcome(input, status)));
    const pull = renderPullRequest(task(input), outcome(input));
    expectInert(pull.body);
    expect(pull.title).not.toMatch(/[\n@][a-z]/);
    expect(Buffer.byteLength(pull.title)).toBeLessThanOrEqual(256);
  });

  it('is inert with generated texts, rendered as GitHub renders', () => {
    fc.assert(
      fc.property(untrusted, input => {
        expectInert(renderComment(outcome(input, 'rolled_back')));
        expectInert(renderComment(outcome(input, 'answered')));
        expectInert(renderPullRequest(task(input), outcome(input)).body);
      }),
      { numRuns: isAll ? 300 : 30 },
    );
  });

  it('shows every record change, even if other parts do not fit', () => {
    const shown = outcome('input', 'committed');
    const file = { path: 'ä'.repeat(110), change: 'modified', added: 1, removed: 1 } as const;
    const texts = ['1', '2', '3', '4', '5'].map(n => n.repeat(3900));
    const changes = texts.map(text => ({
      operation: 'add',
      id: 'r-1',
      kind: 'note',
      title: 't',
      text,
      tags: [],
    }));
    const records = { mode: 'reviewed', digest: '6'.repeat(64), changes } as const;
    const files = Array<typeof file>(100).fill(file);
    const { body } = renderPullRequest(task('input'), {
      ...shown,
      patch: { ...shown.patch, files },
      records,
    });
    expect(texts.filter(text => !body.includes(text))).toEqual([]);
    expect(body).toContain(recordsMark);
    expect(Buffer.byteLength(body)).toBeLessThan(65_536);
  });

  it('stays within what GitHub takes, a million characters or not', () => {
    expect(
      Buffer.byteLength(renderSummary([{ outcome: outcome('x'), diff: 'é'.repeat(2_000_000) }])),
    ).toBeLessThan(1024 * 1024);
    const wide = { ...outcome('é'.repeat(5000)), notes: Array(500).fill('\u{1f600}'.repeat(400)) };
    const runs = Array.from({ length: 100 }, () => ({ outcome: wide, diff: '語'.repeat(100_000) }));
    expect(Buffer.byteLength(renderSummary(runs))).toBeLessThan(1024 * 1024);
  });

  it('ends with its mark and names the ledger, however long the rest is', () => {
    const file = outcome('x').patch.files[0];
    const files = Array.from({ length: 400 }, (_, i) => ({
      ...(file ?? expect.fail()),
      path: `${'語'.repeat(120)}/${i}`,
    }));
    const long = { ...outcome('語'.repeat(20_000)), patch: { ...outcome('x').patch, files } };
    const body = renderComment(long);
    expect(
      body.endsWith('<!-- photon:task=fix-5-12345678 -->\n\n<!-- photon:end=VERIFY_FAILED -->\n'),
    ).toBe(true);
    expectInert(body);
    const pull = renderPullRequest(task('語'.repeat(20_000)), long);
    expect(pull.body.endsWith(`${pull.marker}\n`)).toBe(true);
    expect(pull.body).toContain('head 6666');
    expectInert(pull.body);
  });

  it.each(Object.entries(codes))('shows the hint of %s as it is written', (_code, { hint }) => {
    const body = renderComment({ ...outcome('x'), hint });
    const text = active(body)
      .replace(/<[^>]*>/g, '')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>');
    expect(text).toContain(`What to do next: ${hint}`);
  });

  it.each([
    'committed',
    'rolled_back',
    'abstained',
    'needs_clarification',
    'failed',
    'no_change',
    'answered',
  ] as const)('%s reads like this', async status => {
    await expect(renderComment(outcome('text of the case', status))).toMatchFileSnapshot(
      `snapshots/comment-${status}.md`,
    );
  });

  it('a pull request reads like this', async () => {
    const about = [task('Repair the discount'), outcome('npm test', 'committed')] as const;
    const { title, body } = renderPullRequest(...about);
    const by = 'Co-authored-by: octo <7+octo@users.noreply.github.com>';
    const commitMessage = renderCommitMessage(...about, by);
    await expect(`${title}\n=====\n${commitMessage}=====\n${body}`).toMatchFileSnapshot(
      'snapshots/pull-request.md',
    );
  });
});

describe('what the embedded engine did', () => {
  const repaired = (about: { symbol?: string; path?: string; kind?: string }): Outcome => {
    const plain = outcome('input', 'committed');
    const repair = { ...(plain.repair ?? expect.fail()), edit: { ...edit('src/a.js'), ...about } };
    return { ...plain, engine: 'builtin', repair };
  };
  const titleOf = (about: Outcome) => renderPullRequest(task('Book it'), about).title;

  it.each([
    [{ symbol: 'orderTotal' }, 'Fix orderTotal: another comparison operator'],
    [{}, 'Fix src/a.js: another comparison operator'],
    [{ symbol: 'o'.repeat(60) }, `Fix ${'o'.repeat(60)}`],
    [{ symbol: 'o'.repeat(69) }, 'Fix code: another comparison operator'],
    [{ symbol: 'o'.repeat(69), kind: 'k'.repeat(69) }, 'Fix failing tests'],
  ])('is the title of pull request and commit: %j', (about, title) => {
    expect(titleOf(repaired(about))).toBe(title);
    const [line = ''] = renderCommitMessage(task('Book it'), repaired(about)).split('\n');
    expect(line).toBe(title);
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(72);
  });

  it.each(evil)('is inert whatever the paths are: %j', path => {
    expect(titleOf(repaired({ path }))).not.toMatch(/#\d|@\w|[`<>]|:\/\/|www\.\w|GH-\d/i);
    expectInert(renderPullRequest(task('Book it'), repaired({ path })).body);
  });

  it('closes nothing, though an issue asked for it', () => {
    const { body } = renderPullRequest(task('input'), repaired({}));
    expect(body).toContain('requested in #5 by `@evil`');
    expect(body).not.toMatch(/Fixes #/);
    expect(renderPullRequest(task('input'), outcome('input')).body).toContain('Fixes #5');
  });

  it('is the title of maintenance, too, and no title where a model worked', () => {
    const about = { ...task('Repair it'), maintenance: 'weekly' };
    const done = repaired({ symbol: 'orderTotal' });
    expect(renderPullRequest(about, done).title).toBe(titleOf(done));
    expect(renderPullRequest(about, { ...done, engine: 'openai' }).title).toBe('weekly: Repair it');
  });
});

describe('an answer', () => {
  it('keeps lists, headings, bold text and code, and nothing that leads away', () => {
    const answer = [
      '## 1. Findings',
      'Two files, see [the guide](https://evil.example/a) and `src/a.py`:',
      '',
      '1. **`load` is slow**: it reads @octocat twice.',
      '   - fixes #1',
      '2. a*b < c',
      '',
      '| a | b |',
      '|---|---|',
      '',
      '```python',
      '# not a heading',
      'x = 1  # @octocat',
      '```',
      '1. after',
      '---',
    ].join('\n');
    expect(html(renderAnswer(answer))).toBe(
      [
        '<p><strong>1. Findings</strong></p>',
        '<p>Two files, see the guide (link removed) and <code>src/a.py</code>:</p>',
        '<ol>',
        '<li>**<code>load</code> is slow**: it reads <code>@octocat</code> twice.',
        '<ul>',
        '<li>fixes <code>#1</code></li>',
        '</ul>',
        '</li>',
        '<li>a*b &lt; c</li>',
        '</ol>',
        '<pre><code class="language-text">| a | b |',
        '|---|---|',
        '</code></pre>',
        '<pre><code class="language-text"># not a heading',
        'x = 1  # @octocat',
        '</code></pre>',
        '<ol>',
        '<li>after',
        '---</li>',
        '</ol>',
      ].join('\n'),
    );
  });

  it.each(evil)('is inert with %j in code, bold text, lists and headings', input => {
    const one = input.slice(0, 500).replace(/\n/g, ' ');
    for (const text of [`\`${one}\``, `a \`x\`\`\`${one}`, `**${one}**`, `- ${one}`, `# ${one}`])
      expectInert(renderComment({ ...outcome('x', 'answered'), answer: text }));
  });

  it('holds no mark of another comment, in code either', () => {
    const mark = '<!-- photon:task=other -->';
    const body = renderComment({
      ...outcome('x', 'answered'),
      answer: `\`${mark}\`\n\n    ${mark}`,
    });
    expect(body).not.toContain(mark);
  });
});

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

/** A port of what the runner does with each line of a step (ActionCommand.TryParseV2 and TryParse). */
function runnerCommand(line: string): string | null {
  const trimmed = line.trimStart();
  if (trimmed.startsWith('::')) {
    const end = trimmed.indexOf('::', 2);
    if (end > 1) return trimmed.slice(2, end).split(' ')[0] ?? '';
  }
  const open = line.indexOf('##[');
  const close = open < 0 ? -1 : line.indexOf(']', open);
  return close > open ? (line.slice(open + 3, close).split(' ')[0] ?? '') : null;
}

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
          expect(runnerCommand(line)).toBeNull();
      }),
      { numRuns: isAll ? 2000 : 200 },
    );
  });

  it('the port of the runner does find commands', () => {
    expect(runnerCommand('  ::set-output name=x::y')).toBe('set-output');
    expect(runnerCommand('x##[add-mask]y')).toBe('add-mask');
  });
});
