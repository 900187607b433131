/** docs/coming-from.md: each claim about Photon names tests that exist, and each claim about another has a link. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './root.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const rows = [...read('docs/coming-from.md').matchAll(/^\| (.+\?) \| (.+) \| (.+) \|$/gm)];
const tests = [...globSync('test/**/*.test.ts', { cwd: root }), 'test/attacks/play.ts']
  .map(read)
  .join('\n');

it('has rows', () => expect(rows.length).toBeGreaterThanOrEqual(5));

it.each(rows.map(([, question = '', own = '', other = '']) => ({ question, own, other })))(
  '$question',
  ({ own, other }) => {
    const spans = [...own.matchAll(/`([^`]+)`/g)].map(m => m[1] ?? '');
    const named = spans.filter(span => !span.startsWith('photon '));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(title => !tests.includes(`'${title}'`))).toEqual([]);
    expect(other).toMatch(/\]\(https:\/\/(?:github\.com|docs\.github\.com)\//);
  },
);
