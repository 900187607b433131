/** What an ecosystem counts in the output of its runners, and the versions that its files name. */
import { expect, it } from 'vitest';
import { findAddedPackages } from '../../src/ecosystems/commands/added-packages.ts';
import { readSummaries } from '../../src/verify/reports/run-summary.ts';

/** Plays rows of what a runner prints, and of the cases that are counted: `mix: 8 ran, 1 failed`. */
export const countCases = (rows: readonly (readonly [output: string, counts: string])[]) =>
  it.each(rows)('counts the cases of %j', (output, counts) => {
    const found = readSummaries(`some output\n${output}`);
    expect(found.map(s => `${s.runner}: ${s.ran} ran, ${s.failed} failed`)).toEqual([counts]);
  });

export const json = (value: unknown) => JSON.stringify(value, null, 2);

export const stateOf = (text: string) => ({ mode: '100644' as const, bytes: Buffer.from(text) });

/** The versions of packages that a change of one file adds: `npm lodash 4.17.21`. */
export const listAdded = (path: string, after: string, before = '') =>
  findAddedPackages([{ path, before: stateOf(before), after: stateOf(after) }]).map(
    ({ source, name, version }) => `${source} ${name} ${version}`,
  );

/** Plays rows of a path, a text, and the versions that it names. */
export const listsVersions = (
  rows: readonly (readonly [path: string, text: string, versions: readonly string[]])[],
) =>
  it.each(rows)('names the versions of %s (row %#)', (path, text, versions) => {
    expect(listAdded(path, text)).toEqual(versions);
    expect(listAdded(path, text, text)).toEqual([]);
  });
