/** An answer keeps its form, and leads nowhere. */
import { describe, expect, it } from 'vitest';
import { renderAnswer } from '../../../src/report/comment/answer.ts';
import { renderComment } from '../../../src/report/comment/comment.ts';
import { evil, outcome } from '../hostile.ts';
import { expectInert, html } from '../rendered.ts';

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
