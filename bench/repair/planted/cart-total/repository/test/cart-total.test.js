import assert from 'node:assert/strict';
import test from 'node:test';
import { discountOf, lineTotal, shippingFor, taxIn, totals } from '../src/cart-total.js';

test('a line', () => assert.equal(lineTotal({ price: 250, count: 3 }), 750));
test('the tenth piece is free', () => assert.equal(lineTotal({ price: 100, count: 12 }), 1100));
test('no voucher', () => assert.equal(discountOf(1000, undefined), 0));
test('percent', () => assert.equal(discountOf(1999, { percent: 10 }), 200));
test('amount', () => assert.equal(discountOf(3000, { amount: 500 }), 500));
test('a voucher that is larger than the sum', () =>
  assert.equal(discountOf(300, { amount: 500 }), 300));
test('a voucher with a least value', () => {
  assert.equal(discountOf(1500, { amount: 500, from: 2000 }), 0);
  assert.equal(discountOf(2500, { amount: 500, from: 2000 }), 500);
});
test('shipping', () => assert.equal(shippingFor(1200), 495));
test('free shipping', () => assert.equal(shippingFor(6000), 0));
test('express', () => assert.equal(shippingFor(1200, true), 1295));
test('tax', () => {
  assert.equal(taxIn(1190), 190);
  assert.equal(taxIn(1070, 'food'), 70);
});
test('a whole cart', () => {
  const lines = [
    { price: 1190, count: 2 },
    { price: 535, count: 1, kind: 'book' },
  ];
  assert.deepEqual(totals(lines, { percent: 20 }), {
    goods: 2915,
    discount: 583,
    shipping: 495,
    tax: 415,
    total: 2827,
  });
});
test('an empty cart', () => assert.equal(totals([]).total, 0));
