import assert from 'node:assert/strict';
import test from 'node:test';
import { freeBlocks, load, occupy, placeIn, seatGroups } from '../src/seat-finder.js';

test('blocks', () =>
  assert.deepEqual(freeBlocks('..x._.'), [
    [0, 2],
    [3, 1],
    [5, 1],
  ]));
test('a full row', () => assert.deepEqual(freeBlocks('xx_xx'), []));
test('the tightest block', () => assert.equal(placeIn('....x..x...', 2), 5));
test('the only block', () => assert.equal(placeIn('xx...', 3), 2));
test('no block', () => assert.equal(placeIn('.x.x.', 2), -1));
test('takes seats', () => assert.equal(occupy('..._..', 1, 2), '.xx_..'));
test('seats groups', () => {
  assert.deepEqual(seatGroups(['..._..', '......'], [2, 3, 4]), [['xxx_xx', 'xxxx..'], []]);
});
test('refuses a group', () => assert.deepEqual(seatGroups(['.._..'], [3, 2]), [['xx_..'], [3]]));
test('load', () => assert.equal(load(['x._..', 'x.']), 33));
test('load of nothing', () => assert.equal(load(['_']), 0));
