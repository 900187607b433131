import assert from 'node:assert/strict';
import test from 'node:test';
import { countSteps, locate } from '../src/maze-steps.js';

test('finds a mark', () => assert.deepEqual(locate(['..', '.S'], 'S'), [1, 1]));
test('finds no mark', () => assert.equal(locate(['..'], 'S'), null));
test('next to each other', () => assert.equal(countSteps(['SE', '..']), 1));
test('a square without walls', () => assert.equal(countSteps(['S..', '...', '..E']), 4));
test('round a wall', () => assert.equal(countSteps(['S#E', '.#.', '...']), 6));
test('shut in', () => assert.equal(countSteps(['S#.', '##.', '..E']), -1));
test('a wide maze', () => assert.equal(countSteps(['S....E']), 5));
test('a tall maze', () => assert.equal(countSteps(['S', '.', '.', 'E']), 3));
test('a wide maze with walls', () => assert.equal(countSteps(['S.#..', '..#.E', '.....']), 7));
test('no way outside the picture', () => assert.equal(countSteps(['.', 'S', '#', 'E']), -1));
test('no start', () => assert.equal(countSteps(['..E']), -1));
test('no end', () => assert.equal(countSteps(['S..']), -1));
