import { describe, expect, it } from 'vitest';
import {
  aimAt,
  type FleetRow,
  isCooling,
  parseRow,
} from '../../../../src/hosts/github/maintenance/tasks.ts';
import type { RunInput } from '../../../../src/hosts/host.ts';

const last = '2026-01-01T00:00:00Z';
const after = (hours: number) => Date.parse(last) + hours * 3_600_000;

it.each([
  [24, last, 23.9, true],
  [24, last, 24, false],
  [undefined, last, 0, false],
  [24, undefined, 1, false],
])(
  'a task with %s hours that ended at %s cools %s hours later: %s',
  (coolDownHours, ended, hours, is) => {
    expect(isCooling({ coolDownHours }, ended, after(hours))).toBe(is);
  },
);

const row: FleetRow = {
  id: 'lint-web',
  task: 'Lint.',
  repository: 'octo/hello',
  package: 'web',
  maintenance: 'lint',
  labels: [],
  paths: ['src/**'],
  skills: [],
};

describe('a row', () => {
  it('is read as it was passed on', () => {
    expect(parseRow(JSON.stringify(row))).toEqual(row);
    expect(parseRow(' \n')).toBeUndefined();
  });

  it.each([
    ['{', 'not JSON'],
    [JSON.stringify({ ...row, id: '../x' }), '/id'],
    [JSON.stringify({ ...row, repository: 'octo' }), '/repository'],
    [JSON.stringify({ ...row, task: '' }), '/task'],
    [JSON.stringify({ ...row, labels: 'x' }), '/labels'],
  ])('%s is refused, and the place is named', (text, place) => {
    expect(() => parseRow(text)).toThrow(
      expect.objectContaining({ code: 'ROW_INVALID', message: expect.stringContaining(place) }),
    );
  });
});

describe('the input of a row', () => {
  const input = { repository: 'octo/fleet', ref: 'refs/heads/main', sha: 'abc' } as RunInput;

  it('for another repository has no ref and commit of this one', () => {
    expect(aimAt(input, row)).toEqual({ repository: 'octo/hello', ref: '', sha: '' });
  });

  it('for this repository stays as it is', () => {
    expect(aimAt(input, { ...row, repository: 'octo/fleet' })).toBe(input);
    expect(aimAt(input, undefined)).toBe(input);
  });
});
