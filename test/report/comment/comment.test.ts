/** A comment that ends a run. */
import { describe, expect, it } from 'vitest';
import { codes } from '../../../src/base/codes.ts';
import { renderComment } from '../../../src/report/comment/comment.ts';
import { renderPullRequest } from '../../../src/report/pull-request/pull-request.ts';
import { outcome, task } from '../hostile.ts';
import { active, expectInert } from '../rendered.ts';

describe('what Photon posts', () => {
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

  it('says once that nothing was written, and ends each sentence', () => {
    const [first] = renderComment({ ...outcome('x'), message: codes.VERIFY_FAILED.meaning }).split(
      '\n',
    );
    expect(first?.match(/Nothing was written/g)).toHaveLength(1);
    const own = renderComment({ ...outcome('x', 'failed'), message: 'HTTP 401: Incorrect key' });
    expect(own).toContain('Incorrect key.** Nothing was written to the repository.');
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
});
