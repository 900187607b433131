import { expect, it } from 'vitest';
import { decideDeliveryMode } from '../../src/hosts/delivery-mode.ts';

type Asked = Parameters<typeof decideDeliveryMode>;
const plain: Asked[0] = { dryRun: false, staged: false, delivery: 'pull-request' };

it.each<[Partial<Asked[0]>, Asked[1], object]>([
  [
    {},
    'github',
    { target: 'publish', keepsRecords: true, showsProgress: true, keepsDashboard: true },
  ],
  [{ delivery: 'patch' }, 'github', { target: 'patch', keepsRecords: false, keepsDashboard: true }],
  [{ staged: true }, 'github', { target: 'stage', keepsRecords: false, keepsDashboard: false }],
  [{ dryRun: true }, 'github', { target: 'report', keepsRecords: false, keepsDashboard: false }],
  [{ dryRun: true, staged: true }, 'github', { target: 'stage' }],
  [
    {},
    'patch',
    { target: 'patch', keepsRecords: true, showsProgress: false, keepsDashboard: false },
  ],
  [{}, 'apply', { target: 'apply', keepsRecords: true, showsProgress: false }],
  [{ dryRun: true }, 'apply', { target: 'report', keepsRecords: false }],
])('with %j in a run for %s', (settings, way, expected) => {
  expect(decideDeliveryMode({ ...plain, ...settings }, way)).toMatchObject(expected);
});
