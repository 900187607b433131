import assert from 'node:assert/strict';
import test from 'node:test';
import { delays, isTemporary, retryAfter, simulate } from '../src/retry-plan.js';

test('doubles', () => assert.deepEqual(delays({ attempts: 4 }), [100, 200, 400]));
test('up to a limit', () =>
  assert.deepEqual(delays({ first: 1000, limit: 3000 }), [1000, 2000, 3000, 3000]));
test('one attempt', () => assert.deepEqual(delays({ attempts: 1 }), []));
test('temporary', () => {
  assert.equal(isTemporary(503), true);
  assert.equal(isTemporary(429), true);
});
test('for good', () => {
  assert.equal(isTemporary(404), false);
  assert.equal(isTemporary(501), false);
});
test('seconds', () => assert.equal(retryAfter('3', 0), 3000));
test('a date', () => assert.equal(retryAfter('Thu, 01 Jan 1970 00:00:10 GMT', 4000), 6000));
test('nonsense', () => assert.equal(retryAfter('soon', 0), null));
test('at once', () => assert.deepEqual(simulate([200]), { status: 200, used: 1, waited: 0 }));
test('the third time', () =>
  assert.deepEqual(simulate([500, 429, 200]), { status: 200, used: 3, waited: 300 }));
test('gives up', () =>
  assert.deepEqual(simulate([500, 500, 500, 500], { attempts: 3 }), {
    status: 500,
    used: 3,
    waited: 300,
  }));
