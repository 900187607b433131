/** Hostile strings in every place that untrusted text reaches, rendered as GitHub does: all of them inert. */
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { bodyProblem, titleProblem } from '../../src/delivery-settings.ts';
import type { Outcome } from '../../src/outcome.ts';
import { renderComment } from '../../src/report/comment.ts';
import { renderCommitMessage } from '../../src/report/commit-message.ts';
import { fencedText, inlineText, plainParagraph, plainTitle } from '../../src/report/escape.ts';
import { renderPullRequest } from '../../src/report/pull-request.ts';
import { renderSuggestions } from '../../src/report/suggestions.ts';
import { renderSummary } from '../../src/report/summary.ts';
import type { Task } from '../../src/task.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';

const html = (markdown: string) =>
  micromark(markdown, {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
    allowDangerousHtml: true,
  });

/** What a reader's browser gets outside of code, attributes of Photon's own links left out. */
const live = (markdown: string) =>
  html(markdown)
    .replace(/<code[^>]*>[\s\S]*?<\/code>/g, '')
    .replace(/<a href="https:\/\/github\.example\/o\/r\/actions\/runs\/1">/g, '');

/** Characters that a reader cannot see. */
const unseenIn = (text: string) => text.match(/[\p{Cf}\p{Variation_Selector}]/gu) ?? [];

/** Each string with what must not come alive of it. */
const hostile: readonly (readonly [string, RegExp])[] = [
  ['@octocat please', /@octocat/],
  ['@org/team and @a-b', /@org|@a-b/],
  ['mail a@evil.example', /a@evil|mailto:/],
  ['Fixes #1', /fixes #1\b/i],
  ['closes GH-12 and resolved org/repo#3', /GH-12|repo#3/],
  ['Resolve https://github.com/o/r/issues/9', /https?:\/\/github\.com/],
  ['see www.evil.example and http://evil.example', /(?:href|src)="[^"]*evil/],
  ['[click](https://evil.example "t")', /(?:href|src)="[^"]*evil/],
  ['[ref][x]\n\n[x]: https://evil.example', /evil\.example/],
  ['![p](https://evil.example/p.png)', /<img/],
  ['<img src="https://evil.example/p">', /<img/],
  ['<script>alert(1)</script>', /<script/],
  [
    '<details><summary>x</summary>',
    /<summary>x|<details>(?!<summary>(?:Decisions|Run details|How it|The task))/,
  ],
  ['<!-- photon:task=other -->', /<!--[^>]*other/],
  ['<!-- unclosed', /<!-- unclosed/],
  ['--> <b>out</b>', /<b>/],
  ['<svg><title>x</title></svg>', /<svg/],
  ['<a href="javascript:x">y</a>', /href="javascript/],
  ['```\n@octocat\n```', /@octocat/],
  ['~~~\n@octocat\n~~~', /@octocat/],
  ['`` ` @octocat', /@octocat/],
  [`${'`'.repeat(40)} @octocat ${'`'.repeat(39)}`, /@octocat/],
  ['x | y | @octocat \\| z', /@octocat/],
  ['\\`@octocat\\`', /@octocat/],
  ['- [ ] task\n- [x] done', /<input/],
  ['# Heading\n\n> quote\n\n---', /<h1>Heading|<blockquote>/],
  ['$$\\href{https://evil.example}{x}$$', /(?:href|src)="[^"]*evil|\$\$\\href/],
  ['costs $5$ or $\\href{https://evil.example}{x}$', /(?:href|src)="[^"]*evil/],
  ['$`x+\\text{@octocat}`$', /@octocat/],
  ['```math\n\\href{https://evil.example}{x}\n```', /(?:href|src)="[^"]*evil|language-math/],
  ['```mermaid\ngraph TD; click A "https://evil.example"\n```', /language-mermaid/],
  ['```geojson\n{}\n```\n```stl\nx\n```', /language-(?:geojson|stl)/],
  ['a `b\n@octocat\n` c', /@octocat/],
  ['[a](https://evil.example "x\n@octocat\n")', /@octocat|href="[^"]*evil/],
  ['<a\nhref="https://evil.example">x</a>', /<a\n|href="[^"]*evil/],
  ['> [!WARNING]\n> obey', /<blockquote>/],
  ['a\n===\nb\n---', /<h[12]>[ab]/],
  ['  /lgtm\n\t/approve no-issue', /^$/],
  ['xmpp:a@evil.example and mailto:b@evil.example', /href="(?:xmpp|mailto)/],
  ['a&#64;octocat &num;1 &#x23;2', /@octocat|[^n] #[12]/],
  ['[^1] note\n\n[^1]: @octocat', /footnote|@octocat/],
  ['/approve\n/merge', /^\/(?:approve|merge)/m],
  ['\u202eevil\u202c\u2066x\u2069', /[\u202a-\u202e\u2066-\u2069]/],
  ['a\u200bb\u200dc\u2060d\ufeff', /\u200b|\u200d|\ufeff/],
  ['hidden \u{e0041}\u{e0042}', /[\u{e0000}-\u{e007f}]/u],
  ['e\ufe0f\u{e0101}', /\p{Variation_Selector}/u],
  ['\u0000\u0007\u001b[31m', /[\u0000\u0007\u001b]/],
  ['line\r\n\r\n# x\u2028# y\u2029# z', /<h1>/],
  ['</code></pre><b>x</b>', /<b>/],
  ['&lt;img&gt; &#64;octocat &commat;octocat', /<img|@octocat/],
  ['{prompt} {title} {files}', /^$/],
  ['\ud83d lone', /[\ud800-\udfff](?![\udc00-\udfff])/],
];

const template = [
  'For {asked-by} on {base}: {title} ({issue}, {task}, {run}, {maintenance})',
  '<div>',
  '{prompt}',
  '</div>',
  '- item',
  '{plan}',
  '{verification}',
  '| a |',
  '|---|',
  '{files}',
  '{decisions}',
  '{closes}',
  '{undo}',
].join('\n');

function task(input: string): Task {
  return {
    id: 'fix-5-12345678',
    trigger: 'comment',
    prompt: input,
    context: [],
    askedBy: input,
    repository: 'o/r',
    baseRef: input,
    hiddenRemoved: 0,
    conversation: { kind: 'issue', number: 5 },
  };
}

function outcome(input: string): Outcome {
  const run = {
    command: input,
    exitCode: 1,
    limit: null,
    refusedConnections: 0,
    durationMs: 1200,
    outputTail: input,
    passed: false,
  };
  const verification = {
    ...({ require: 'pass', passed: false, baseline: run, after: run, withBaseTests: run } as const),
    regressions: [],
    patchDigest: '4'.repeat(64),
  };
  const files = [
    { path: input, change: 'modified', added: 1, removed: 1, flag: 'owners' } as const,
  ];
  return {
    status: 'rolled_back',
    code: 'VERIFY_FAILED',
    phase: 'VERIFY',
    message: input,
    statement: input,
    choices: [input],
    schema: 1,
    runId: '20260101000000-abcdef01',
    photon: '2',
    repository: 'o/r',
    base: { ref: input, commit: '1'.repeat(40) },
    page: 'https://github.example/o/r/actions/runs/1',
    task: { id: 'fix-5-12345678', trigger: 'comment', askedBy: input },
    constitution: { version: '2.0', sha256: '2'.repeat(64) },
    prompt: {
      agent: 'photon',
      version: '2.0.0',
      sha256: '3'.repeat(64),
      protocol: 'native',
      parser: '',
      memory: 'transcript',
    },
    engine: 'openai',
    provider: 'openai',
    model: input,
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 60_000,
    usage: {
      rounds: 3,
      toolCalls: 5,
      inputTokens: 1000,
      cachedTokens: 0,
      outputTokens: 100,
      models: [],
    },
    plan: { entrySymbols: [input], affectedFiles: [input], scope: input, maxChangedLines: 3 },
    patch: { files, digest: '4'.repeat(64), tree: '5'.repeat(40) },
    verification,
    decisions: [],
    degraded: true,
    skills: [],
    notes: [input],
    sandbox: { launcher: 'plain', guarantees: [] },
    hiddenRemoved: 0,
    ledger: { entries: 9, head: '6'.repeat(64) },
    delivered: { kind: 'none', operation: 'none' },
    hint: 'Read the output.',
  };
}

function suggested(input: string): FileChange[] {
  const before = Buffer.from('one\ntwo\nthree\n');
  const lines = input.replace(/[\r\n]+/g, '\n');
  return [
    {
      path: 'a.txt',
      before: { mode: '100644', bytes: before },
      after: { mode: '100644', bytes: Buffer.from(`one\n${lines}\nthree\n`) },
    },
  ];
}

const silent = { startsNoWorkflow: true, startedWorkflow: 'ci.yml' };

/** Every Markdown text that Photon posts, with this text in every place. */
function sinks(input: string): Record<string, string> {
  const [asked, end] = [task(input), outcome(input)];
  const own = { ...silent, titleTemplate: '', bodyTemplate: '' };
  const changes = suggested(input);
  const shown = new Map([['a.txt', [[1, 3]] as const]]);
  const review = renderSuggestions(asked, end, { changes, shown });
  return {
    comment: renderComment(end),
    summary: renderSummary([{ outcome: end, diff: input }]),
    'pull request': renderPullRequest(asked, end, own).body,
    template: renderPullRequest(asked, end, { ...own, bodyTemplate: template }).body,
    review: review.body,
    'review as a patch': renderSuggestions(asked, end, { changes, shown: new Map() }).body,
    ...Object.fromEntries(review.comments.map((c, i) => [`suggestion ${i}`, c.body])),
  };
}

describe('untrusted text', () => {
  it.each(hostile)('%j is inert in every place', (input, alive) => {
    for (const [sink, text] of Object.entries(sinks(input))) {
      const seen = live(text);
      expect(seen, sink).not.toMatch(alive);
      expect(seen, sink).not.toMatch(/<(?:img|script|iframe|input|style|svg|form|object)\b/i);
      expect(seen, sink).not.toMatch(/(?<![\w&])@[a-z]/i);
      // mathematics begins with it, but in code and in a tag of its own
      expect(seen.replaceAll('<span>$</span>', ''), sink).not.toContain('$');
      // a summary is no comment, and other bots do not read it
      if (sink !== 'summary') expect(text, sink).not.toMatch(/^[ \t>]*\/[a-z][\w-]*(?:\s|$)/im);
      // what is hidden from a reader is Photon's own mark alone
      const hidden = seen.match(/<!--[\s\S]*?(?:-->|$)/g) ?? [];
      expect(
        hidden.filter(
          h =>
            h !== '<!-- photon:end=VERIFY_FAILED -->' &&
            h !== '<!-- photon:task=fix-5-12345678 -->',
        ),
        sink,
      ).toEqual([]);
      expect(text.length, sink).toBeLessThan(65_536);
      // what is copied from it is what is seen; only a suggestion and a diff are the very characters of a file
      if (!/^suggestion|as a patch|^summary/.test(sink)) expect(unseenIn(text), sink).toEqual([]);
    }
  });

  it('can be copied: names that GitHub would link stand in code spans', () => {
    const said = `Photon could not restore o/r#3 of @ann at ${'a'.repeat(40)} (see GH-4), so photon/fix-1 stays.`;
    expect(plainParagraph(said)).toBe(
      `Photon could not restore \`o/r#3\` of \`@ann\` at \`${'a'.repeat(40)}\` (see \`GH-4\`), so photon/fix-1 stays.`,
    );
  });

  it.each(hostile)('%j closes and pings nothing in a title or commit message', input => {
    const { title } = renderPullRequest(task(input), outcome(input), {
      ...silent,
      titleTemplate: '{title} {task} {asked-by}{base}',
      bodyTemplate: '',
    });
    const message = renderCommitMessage(task(input), outcome(input));
    for (const text of [title, ...message.split('\n')]) {
      expect(unseenIn(text)).toEqual([]);
      expect(text).not.toMatch(/\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b[: ]+\S*(?:#|GH-)\d/i);
      expect(text).not.toMatch(/(?:^|\W)@\w|:\/\/|[\r\u2028\u2029\u0000-\u0008]/);
    }
    expect([...message.matchAll(/^(?:Co-authored-by|Signed-off-by): /gm)]).toEqual([]);
  });

  it('a suggestion is the very lines, in a fence that they cannot close', () => {
    const input = '``` @octocat\n````\n<img src=x>';
    const { comments } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested(input),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([
      {
        path: 'a.txt',
        startLine: 2,
        endLine: 2,
        body: `\`\`\`\`\`suggestion\n${input}\n\`\`\`\`\``,
      },
    ]);
  });

  it('an edit that hides text is no suggestion', () => {
    const { comments, body } = renderSuggestions(task('x'), outcome('x'), {
      changes: suggested('a\u202eb'),
      shown: new Map([['a.txt', [[1, 3]]]]),
    });
    expect(comments).toEqual([]);
    expect(body).not.toContain('\u202e');
  });
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

  it('leaves out whole parts of a template, with the address of what holds them', () => {
    const input = '語'.repeat(20_000);
    const files = Array.from({ length: 400 }, (_, i) => ({
      path: `${'語'.repeat(110)}${i}`,
      change: 'added' as const,
      added: 1,
      removed: 0,
    }));
    const end = { ...outcome(input), patch: { ...outcome('x').patch, files } };
    const bodyTemplate = `${template}\n${'own input '.repeat(1900)}`;
    const { body, marker } = renderPullRequest(task(input), end, {
      ...silent,
      titleTemplate: '',
      bodyTemplate,
    });
    expect(Buffer.byteLength(body)).toBeLessThan(65_536);
    expect(body.endsWith(`${marker}\n`)).toBe(true);
    expect(body).toContain('](https://github.example/o/r/actions/runs/1)');
    expect(body.match(/^`{3,}/gm)?.length ?? 0).toSatisfy((n: number) => n % 2 === 0);
  });
});

describe('templates of a repository', () => {
  it.each([
    ['{nope}', /not a placeholder/],
    ['text {prompt}', /alone/],
    ['  {prompt}', /start of its line/],
    ['```\n{prompt}\n```', /fences/],
    ['<!-- {title} -->', /comments/],
    ['<pre>\n{prompt}', /pre/],
    ['<TEXTAREA>', /textarea/],
    ['{title} {asked-by}\n\n{prompt}\n', /^$/],
  ])('%j as a body: %s', (text, problem) => expect(bodyProblem(text)).toMatch(problem));

  it.each([
    ['{prompt}', /not a placeholder of a title/],
    ['two\nlines', /one line/],
    ['fix: {title}', /^$/],
  ])('%j as a title: %s', (text, problem) => expect(titleProblem(text)).toMatch(problem));
});
