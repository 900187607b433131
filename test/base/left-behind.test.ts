import { expect, it } from 'vitest';
import { PhotonError } from '../../src/base/codes.ts';
import { nothingLeft, UnfinishedDelivery } from '../../src/base/outcome.ts';

it('a delivery that failed keeps the code, the words and the hint of its error, with what it left', () => {
  const cause = new PhotonError('GITHUB_UNAVAILABLE', 'GitHub answered 502.', { hint: 'Wait.' });
  const left = { ...nothingLeft, branches: [{ name: 'photon/task-1', commit: 'abc' }] };
  const error = new UnfinishedDelivery(cause, left);
  expect(error).toBeInstanceOf(PhotonError);
  expect(error).toMatchObject({
    code: 'GITHUB_UNAVAILABLE',
    message: 'GitHub answered 502.',
    hint: 'Wait.',
    cause,
    left,
  });
});
