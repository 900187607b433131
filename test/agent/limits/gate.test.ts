import { expect, it } from 'vitest';
import { decideStart, isDisabled } from '../../../src/agent/limits/gate.ts';

it.each([
  [undefined, false],
  ['', false],
  [' False ', false],
  ['0', false],
  ['no', false],
  ['off', false],
  ['true', true],
  ['1', true],
  ['nothing', true],
])('PHOTON_DISABLED=%s disables: %s', (value, disabled) => {
  expect(isDisabled({ PHOTON_DISABLED: value })).toBe(disabled);
});

it('no run starts at or after the time of the setting', () => {
  expect(decideStart({ stopAt: 10 }, 9)).toBeUndefined();
  expect(decideStart({ stopAt: 10 }, 10)).toBe('STOPPED');
  expect(decideStart({ stopAt: undefined }, 10)).toBeUndefined();
});
