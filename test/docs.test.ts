/** The documentation: every link and anchor resolves, the index lists every page, and no page cites what a reader cannot open. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { root } from './harness.ts';

const pages = globSync('docs/**/*.md', { cwd: root }).sort();
const texts = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md'],
  'examples/README.md',
  ...pages,
];

const html = new Map(
  texts.map(path => {
    const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
    return [path, micromark(readFileSync(join(root, path), 'utf8'), options)];
  }),
);

/** Anchors of a page as GitHub makes them: lower case, without punctuation, repeated ones numbered. */
function anchorsOf(path: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = (html.get(path) ?? '').matchAll(/<h[1-6]>(.*?)<\/h[1-6]>/gs);
  const anchors = [...headings].map(([, content = '']) => {
    const plain = content.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
  return new Set(anchors);
}

/** Targets of links and images that lead to a place in this repository. */
function relativeTargets(path: string): string[] {
  const found = (html.get(path) ?? '').matchAll(/(?:href|src)="([^"]*)"/g);
  return [...found].map(m => decodeURI(m[1] ?? '')).filter(target => !/^[a-z]+:/.test(target));
}

function problemOf(path: string, target: string): string[] {
  const [file = '', anchor] = target.split('#');
  const linked = file === '' ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, linked))) return [`${target}: no such file`];
  if (anchor !== undefined && !anchorsOf(linked).has(anchor)) return [`${target}: no such heading`];
  return [];
}

describe('the documentation', () => {
  it.each(texts)('%s has only links that resolve', path => {
    expect(relativeTargets(path).flatMap(target => problemOf(path, target))).toEqual([]);
  });

  it('has an index that lists every page', () => {
    const listed = relativeTargets('docs/README.md').map(t => `docs/${t}`);
    expect(pages.filter(p => p !== 'docs/README.md' && !listed.includes(p))).toEqual([]);
  });

  it.each(pages.filter(p => p !== 'docs/README.md'))(
    '%s begins with what it is for, the index and its neighbours',
    path => {
      const [title, purpose, links] = readFileSync(join(root, path), 'utf8').split('\n\n');
      expect(title).toMatch(/^# [^\n]+$/);
      expect(purpose).toMatch(/^This (page|tutorial) /);
      expect(links).toMatch(/^All pages: \[index\]\((\.\.\/)?README\.md\)\. (Related|Next): \[/);
    },
  );

  it('cites no document that a reader cannot open', () => {
    const cited = texts.filter(path =>
      /\b(SPEC|THREATS|SOURCES) ?(§|T\d|\d)|\b(SPEC|THREATS|SOURCES)\.md/.test(
        readFileSync(join(root, path), 'utf8'),
      ),
    );
    expect(cited).toEqual([]);
  });

  it('would see a broken link', () => {
    expect(problemOf('docs/README.md', 'nothing.md')).toEqual(['nothing.md: no such file']);
    expect(problemOf('docs/README.md', 'triggers.md#nothing')).toHaveLength(1);
    expect(problemOf('docs/README.md', 'triggers.md#who-can-start-what')).toEqual([]);
  });
});
