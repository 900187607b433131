/** A pull request: its title, its body, and what it closes. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/base/outcome.ts';
import {
  renderCommitMessage,
  renderPullRequest,
} from '../../../src/report/pull-request/pull-request.ts';
import { edit, evil, outcome, task } from '../hostile.ts';
import { expectInert, recordsMark } from '../rendered.ts';

describe('what Photon posts', () => {
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
  const repaired = (about: {
    symbol?: string;
    path?: string;
    before?: string;
    after?: string;
  }): Outcome => {
    const plain = outcome('input', 'committed');
    const repair = { ...(plain.repair ?? expect.fail()), edit: { ...edit('src/a.js'), ...about } };
    return { ...plain, engine: 'builtin', repair };
  };
  const rounded = { before: 'Math.floor(n)', after: 'Math.ceil(n)' };
  const titleOf = (about: Outcome) => renderPullRequest(task('Book it'), about).title;

  it.each([
    [{ symbol: 'paid_hours', ...rounded }, 'Change Math.floor to Math.ceil in paid_hours'],
    [rounded, 'Change Math.floor to Math.ceil in src/a.js'],
    [{ symbol: 'o'.repeat(62), ...rounded }, `Fix ${'o'.repeat(62)}`],
    [{ symbol: 'o'.repeat(60) }, `Fix ${'o'.repeat(60)}`],
    [{ symbol: 'o'.repeat(69) }, 'Fix failing tests'],
    [{ symbol: 'f', before: '<a', after: '!b' }, 'Fix f'],
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
    expect(body).toContain('Requested in #5 by `@evil`');
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
