import { expect, it } from 'vitest';
import { readAppSettings } from '../../src/settings/access.ts';

it('a GitHub App is its two settings', () => {
  const app = { appId: '7', privateKey: 'key' };
  expect(readAppSettings(app)).toEqual(app);
});

it('without either there is none', () => {
  expect(readAppSettings({ appId: '', privateKey: '' }) ?? 'none').toBe('none');
});

it.each([
  { appId: '7', privateKey: '' },
  { appId: '', privateKey: 'key' },
])('one without the other is an error: %j', given => {
  expect(() => readAppSettings(given)).toThrow(
    expect.objectContaining({
      code: 'SETTING_INVALID',
      message: 'app-id and private-key belong together.',
    }),
  );
});
