import assert from 'node:assert/strict';
import test from 'node:test';
import { billedWeight, fits, orderRate, parcelRate } from '../src/parcel-rate.js';

const small = [20, 15, 10];

test('weight', () => assert.equal(billedWeight(3, small), 3));
test('weight of the volume', () => assert.equal(billedWeight(1, [50, 40, 30]), 12));
test('fits', () => assert.equal(fits([100, 30, 40]), true));
test('is too long', () => assert.equal(fits([10, 130, 10]), false));
test('is too thick', () => assert.equal(fits([100, 70, 60]), false));
test('a small parcel', () => assert.equal(parcelRate(0.5, small), 399));
test('a heavier parcel', () => assert.equal(parcelRate(4, small, 'near'), 999));
test('far away', () => assert.equal(parcelRate(12, small, 'far'), 3999));
test('too heavy', () => assert.equal(parcelRate(25, small), null));
test('two parcels', () =>
  assert.equal(
    orderRate([
      { weight: 0.5, sizes: small },
      { weight: 4, sizes: small },
    ]),
    998,
  ));
test('three parcels', () =>
  assert.equal(orderRate(Array(3).fill({ weight: 0.5, sizes: small }), 'near'), 1887));
test('one of them is too large', () =>
  assert.equal(orderRate([{ weight: 1, sizes: [200, 1, 1] }]), null));
