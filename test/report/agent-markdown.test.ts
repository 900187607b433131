/** Markdown that a model wrote keeps its form, and leads nowhere. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentMarkdown } from '../../src/report/agent-markdown.ts';
import { renderComment } from '../../src/report/comment/comment.ts';
import { renderSummary } from '../../src/report/comment/summary.ts';
import { renderRunPage } from '../../src/report/page/run-page.ts';
import { isAll } from '../seed.ts';
import { evil, outcome, untrusted } from './hostile.ts';
import { expectInert, html } from './rendered.ts';

describe('an answer', () => {
  it('keeps lists, headings, bold text, tables and code, and nothing that leads away', () => {
    const answer = [
      '## 1. **Findings**',
      'Two files, see [the guide](https://evil.example/a) and `src/a.py`:',
      '',
      '1. **`load` is slow**: it reads @octocat twice.',
      '   - fixes #1',
      '2. a*b < c',
      '',
      '| a | `b\\|c` |',
      '|---|---|',
      '| **d** | x \\| @octocat |',
      '',
      '```python',
      '# not a heading',
      'x = 1  # @octocat',
      '```',
      '1. after',
      '',
      '---',
      '![shot](https://evil.example/x.png) <https://evil.example> https://evil.example/b.',
    ].join('\n');
    expect(html(agentMarkdown(answer)).replace(/\n\s*/g, '')).toBe(
      [
        '<p><strong>1. Findings</strong></p>',
        '<p>Two files, see the guide (<code>https://evil.example/a</code>) and <code>src/a.py</code>:</p>',
        '<ol>',
        '<li><strong><code>load</code> is slow</strong>: it reads <code>@octocat</code> twice.',
        '<ul><li>fixes <code>#1</code></li></ul>',
        '</li>',
        '<li>a*b &lt; c</li>',
        '</ol>',
        '<table><thead><tr><th>a</th><th><code>b|c</code></th></tr></thead>',
        '<tbody><tr><td><strong>d</strong></td><td>x | <code>@octocat</code></td></tr></tbody></table>',
        '<pre><code class="language-text"># not a heading',
        'x = 1  # @octocat',
        '</code></pre>',
        '<ol><li>after</li></ol>',
        '<p>shot (<code>https://evil.example/x.png</code>) <code>https://evil.example</code> ',
        '<code>https://evil.example/b</code>.</p>',
      ].join(''),
    );
  });

  it.each([
    '**Why `foo()` is called twice**, and *why* `x` is **not *ever* `y`**.',
    '**`a`** and ***both*** and a _whole phrase_ and __two words__.',
    'one\ntwo\nthree\n\nfour',
    '- a\n- b\n  - c\n    1. d\n    2. e\n\n  more of b\n- f',
    '3. three\n4. four\n\n   `code`',
    '| a | b |\n|---|---|\n| `x` | **y** |\n| 1 | a \\| b |',
    'a | b\n:-- | --:\n\\- x | y',
    '1. a\n\n   | a | b |\n   |---|---|\n   | c | d |\n\n   x',
    '- a\nlazy\n\n1. one\n   two\n   - three\n     four\n\n     five',
    '- a\n\n  ```text\n  b\n\n    c\n  ```\n- d',
    'a \\* b \\_ c 2 \\> 1',
    '# not one\\# of 10\\. 3 - 2',
  ])('shows %j as it is meant', text => {
    const meant = html(text)
      .replace(/<(\/?)h1>/g, '<$1p>')
      .replace('<p># ', '<p>');
    const shown = html(agentMarkdown(text)).replace(
      /^<p><strong>(not .*)<\/strong><\/p>$/,
      '<p>$1</p>',
    );
    expect(shown.replace(/\s+/g, ' ')).toBe(meant.replace(/\s+/g, ' '));
  });

  it('leaves a name in underscores, and a place in one, as it is', () => {
    const places = [
      { text: 'a/__init__.py:3', path: 'a/__init__.py', start: 3, end: 3, exists: true },
    ];
    const about = {
      page: 'https://github.example/o/r/actions/runs/1',
      base: { commit: '1'.repeat(40) },
      places,
    };
    expect(html(agentMarkdown('See __init__ and a/__init__.py:3!', about))).toBe(
      `<p>See __init__ and <a href="https://github.example/o/r/blob/${'1'.repeat(40)}/a/__init__.py#L3"><code>a/__init__.py:3</code></a>!</p>`,
    );
  });

  it('stands in comment, summary and page under its label', () => {
    const answered = { ...outcome('x', 'answered'), answer: '**Why `foo()` stays**' };
    const kept = { outcome: answered, diff: '', ledger: '' };
    const sinks = [html(renderComment(answered)), html(renderSummary([kept])), renderRunPage(kept)];
    for (const sink of sinks)
      expect(sink.replace(/\s+/g, ' ')).toMatch(
        /agent[^<]{1,8}s words, not verified:<\/p> ?<p><strong>Why <code>foo\(\)<\/code> stays<\/strong>/,
      );
  });

  const forms = [
    (x: string) => `\`${x}\``,
    (x: string) => `a \`x\`\`\`${x}`,
    (x: string) => `**${x}** *${x}* _${x}_`,
    (x: string) => `- ${x}\n  1. ${x}`,
    (x: string) => `# ${x}`,
    (x: string) => `| ${x} | \`${x}\` |\n|---|---|\n| ${x} | ${x} |`,
    (x: string) => `[${x}](${x}) ![${x}](<${x}> "${x}") <${x}>`,
    (x: string) => `!${x}\n===\n\\${x}`,
    (x: string) => `[x]: ${x}\n\n[x] [^1]\n\n[^1]: ${x}\n\n> ${x}`,
  ];

  it.each(evil.map(e => [e.slice(0, 40), e]))('is inert with %j in every form', (_name, input) => {
    const one = input.slice(0, 500).replace(/\n/g, ' ');
    for (const form of forms)
      expectInert(renderComment({ ...outcome('x', 'answered'), answer: form(one) }));
  });

  it('is inert with generated texts in every form', () => {
    fc.assert(
      fc.property(untrusted, fc.constantFrom(...forms), (input, form) => {
        const answer = form(input);
        expectInert(renderComment({ ...outcome('x', 'answered'), answer }));
      }),
      { numRuns: isAll ? 2000 : 100 },
    );
  });

  it('is bounded, whatever the text', () => {
    const texts = [
      '- '.repeat(4000),
      `${'- '.repeat(40)}x${'\ny'.repeat(3900)}`,
      '*a_'.repeat(2600),
    ];
    for (const text of texts) expect(agentMarkdown(text).length).toBeLessThan(60_000);
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
