/** Hostile texts, and a task and an outcome that hold one in every place. */
import type { Outcome } from '../../src/base/outcome.ts';
import type { Task } from '../../src/base/task.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { outcome as plainOutcome, task as plainTask } from './hostile.ts';

/** Characters that a reader cannot see. */
export const unseenIn = (text: string) => text.match(/[\p{Cf}\p{Variation_Selector}]/gu) ?? [];

/** Each string with what must not come alive of it. */
export const hostile: readonly (readonly [string, RegExp])[] = [
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
    /<summary>x|<details>(?!<summary>(?:Decisions|Run details|How it|How the edit|Patch|The task|Network of))/,
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

/** The task and the outcome of `hostile.ts`, with the text in what is plain there as well. */
export const task = (input: string): Task => ({
  ...plainTask(input),
  askedBy: input,
  baseRef: input,
});

export function outcome(input: string): Outcome {
  const plain = plainOutcome(input, 'rolled_back');
  return {
    ...plain,
    base: { ...plain.base, ref: input },
    page: 'https://github.example/o/r/actions/runs/1',
    task: { ...plain.task, askedBy: input },
    plan: { entrySymbols: [input], affectedFiles: [input], scope: input, maxChangedLines: 3 },
  };
}

export function suggested(input: string): FileChange[] {
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

export const silent = { startsNoWorkflow: true, startedWorkflow: 'ci.yml' };
