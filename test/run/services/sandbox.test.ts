import { expect, it } from 'vitest';
import { isApart } from '../../../src/run/services/sandbox.ts';
import type { Settings } from '../../../src/settings/settings.ts';

type Network = Settings['network'];
const network = (commands: Network['commands'], hosts: Network['hosts']) =>
  ({ network: { commands, hosts } }) as Pick<Settings, 'network'>;

it.each([
  ['bubblewrap', network('none', undefined), true],
  ['namespaces', network('none', undefined), true],
  ['namespaces', network('allow', ['a.test']), true],
  ['bubblewrap', network('allow', undefined), false],
  ['seatbelt', network('none', undefined), false],
  ['plain', network('none', undefined), false],
] as const)('commands of %s with %j are apart: %s', (launcher, settings, apart) => {
  expect(isApart({ launcher }, settings)).toBe(apart);
});
