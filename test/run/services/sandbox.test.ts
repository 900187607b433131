import { expect, it } from 'vitest';
import { isApart } from '../../../src/run/services/sandbox.ts';
import type { Settings } from '../../../src/settings/settings.ts';

type Network = Settings['network'];
const network = (
  commands: Network['commands'],
  hosts: Network['hosts'],
  services: readonly string[] = [],
) => ({ network: { commands, hosts, services: services.length > 0 }, services });

it.each([
  ['bubblewrap', network('none', undefined), true],
  ['namespaces', network('none', undefined), true],
  ['namespaces', network('allow', ['a.test']), true],
  ['bubblewrap', network('allow', undefined), false],
  ['bubblewrap', network('none', undefined, ['5432']), false],
  ['seatbelt', network('none', undefined), false],
  ['plain', network('none', undefined), false],
] as const)('commands of %s with %j are apart: %s', (launcher, settings, apart) => {
  expect(isApart({ launcher }, settings)).toBe(apart);
});
