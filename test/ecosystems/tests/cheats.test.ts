import { expect, it } from 'vitest';
import { findNewCheats } from '../../../src/ecosystems/tests/cheats.ts';
import { cheatWarning, endingCalls } from '../../../src/verify/patch-warnings.ts';
import { changeOf } from '../../verify/changes.ts';
import { cheats, honest, type PatchRow, reported } from '../../verify/tampering-rows.ts';
import { cheatingPatches } from './cheating-patches.ts';
import { honestPatches } from './honest-patches.ts';

const found = ([, path, added]: PatchRow) => findNewCheats(changeOf(path, '\n', `\n${added}`));

/** What a program can ask for good reason: only a run without it tells what it is for. */
const forARun = 'asks for CI in Python';

it.each([...reported, ...cheats].filter(([name]) => name !== forARun))('%s', (...row) =>
  expect(found(row).length).toBeGreaterThan(0),
);
it.each(honest)('honest: %s', (...row) => expect(found(row)).toEqual([]));
it.each(cheatingPatches.filter(p => p.ends === undefined))('$name', ({ path, text }) =>
  expect(findNewCheats(changeOf(path, undefined, text)).length).toBeGreaterThan(0),
);
it.each(honestPatches)('honest: $name', ({ path, text, endsProcess }) => {
  const change = changeOf(path, undefined, text);
  expect(cheatWarning([change])).toBeUndefined();
  expect(endingCalls([change])).toEqual(endsProcess ? [path] : []);
});
it('what the file did before is no news', () => {
  const [, path, added] = reported[0] as PatchRow;
  expect(findNewCheats(changeOf(path, added, `${added}more();\n`))).toEqual([]);
});
