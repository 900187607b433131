import assert from 'node:assert/strict';
import test from 'node:test';
import { alive, findCycle, neighbours, step } from '../src/life-board.js';

const blinker = ['.....', '..#..', '..#..', '..#..', '.....'];

test('neighbours', () => assert.equal(neighbours(blinker, 2, 1), 3));
test('neighbours at a corner', () => assert.equal(neighbours(['#.', '.#'], 0, 0), 1));
test('a blinker turns', () =>
  assert.deepEqual(step(blinker), ['.....', '.....', '.###.', '.....', '.....']));
test('a block stays', () => assert.deepEqual(step(['##', '##']), ['##', '##']));
test('a lonely cell dies', () =>
  assert.deepEqual(step(['...', '.#.', '...']), ['...', '...', '...']));
test('counts', () => assert.equal(alive(blinker), 3));
test('a blinker repeats', () => assert.deepEqual(findCycle(blinker), [0, 2]));
test('a corner becomes a block', () => assert.deepEqual(findCycle(['##.', '#..', '...']), [1, 1]));
test('no cycle in the limit', () => assert.equal(findCycle(blinker, 1), null));
