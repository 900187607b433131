import assert from 'node:assert/strict';
import test from 'node:test';
import {
  earlyFee,
  loanPlan,
  monthlyPayment,
  totalInterest,
  turningPoint,
} from '../src/loan-plan.js';

const plan = loanPlan(1_000_000, 6, 24);

test('without interest', () => assert.equal(monthlyPayment(1000, 0, 3), 334));
test('with interest', () => assert.equal(monthlyPayment(1_000_000, 6, 24), 44321));
test('the first month', () =>
  assert.deepEqual(plan[0], { month: 1, interest: 5000, repaid: 39321, left: 960679 }));
test('as many months as asked', () => assert.equal(plan.length, 24));
test('nothing is left', () => assert.equal(plan.at(-1).left, 0));
test('all is repaid', () =>
  assert.equal(
    plan.reduce((sum, m) => sum + m.repaid, 0),
    1_000_000,
  ));
test('all interest', () => assert.equal(totalInterest(plan), 63694));
test('interest of nothing', () => assert.equal(totalInterest([]), 0));
test('repays more than interest from the start', () => assert.equal(turningPoint(plan), 1));
test('repays more later', () => assert.ok(turningPoint(loanPlan(1_000_000, 9, 240)) > 100));
test('fee', () => assert.equal(earlyFee(plan, 1), 9607));
test('half of the fee in the last year', () =>
  assert.equal(earlyFee(plan, 20), Math.round(plan[19].left / 200)));
