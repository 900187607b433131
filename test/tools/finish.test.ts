/** finish delivers a patch or an answer, or says that nothing changed. */
import { describe, expect, it } from 'vitest';
import { answerTool, finish } from '../../src/tools/finish.ts';
import { callTool, usual } from './play.ts';

const patched = { evidence: { ...usual.evidence, patchDigest: 'p' } };

describe('finish', () => {
  it('delivers a patch with its summary, in which no secret stands', async () => {
    expect(
      await callTool(finish, { reason: 'done', summary: ' Fixed s3cret. ' }, patched),
    ).toMatchObject({
      claims: [{ kind: 'commit' }],
      end: { status: 'committed', code: 'COMMITTED', summary: 'Fixed ***.' },
    });
  });

  it('takes the answer for the summary of a patch that has none', async () => {
    const { end } = await callTool(finish, { reason: 'done', answer: 'Look.' }, patched);
    expect(end).toEqual({ status: 'committed', code: 'COMMITTED', summary: 'Look.' });
  });

  it('delivers an answer without a patch', async () => {
    const { end } = await callTool(finish, { reason: 'done', answer: 'It is s3cret.' });
    expect(end).toEqual({ status: 'answered', code: 'TASK_ANSWERED', answer: 'It is ***.' });
  });

  it('keeps the reason of a patch in the log alone', async () => {
    const { end } = await callTool(finish, { reason: 'done' }, patched);
    expect(end).toEqual({ status: 'committed', code: 'COMMITTED' });
  });

  it('changes nothing without either, and says why in any of its words', async () => {
    const { end } = await callTool(finish, { reason: 'done', summary: 'x', answer: ' ' });
    expect(end).toEqual({ status: 'no_change', code: 'PATCH_EMPTY', statement: 'done' });
    expect((await callTool(finish, { summary: 'x' })).end).toMatchObject({ statement: 'x' });
    const { problems } = await callTool(finish, { reason: ' ' });
    expect(problems).toEqual([expect.stringContaining('/reason')]);
  });

  it('of a question has an answer', () => {
    expect(answerTool.parse({ answer: 'It is.' })).toMatchObject({ ok: true });
    for (const args of [{ reason: 'done' }, { answer: ' ' }])
      expect(answerTool.parse(args)).toMatchObject({
        ok: false,
        problems: [expect.stringMatching(/^\/answer: /)],
      });
  });
});
