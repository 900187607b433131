/** One failing case decides for an edit only if few edits are as simple, and its rivals are not far likelier. */
import { expect, it } from 'vitest';
import { rankSurvivors } from '../../../src/repair/choose/choose.ts';
import { findNoControl, openUndecided } from '../../../src/repair/choose/judge-survivors.ts';
import { survivor, textOf } from '../survivors.ts';

/** What is said of the first edit, where so many edits are possible in its place and elsewhere, and rivals pass. */
function judge({ inPlace = 1, elsewhere = 1, rivals = 0 }): string | undefined {
  const own = Array.from({ length: inPlace }, (_, i) => survivor(`a${i}`));
  const others = Array.from({ length: elsewhere }, (_, i) => {
    const { candidate, ...about } = survivor(`b${i}`);
    const edits = candidate.edits.map(e => ({ ...e, start: e.start + i, end: 9 + i }));
    return { ...about, candidate: { ...candidate, edits } };
  });
  const all = [...own, ...others].map(s => s.candidate);
  const [best] = rankSurvivors(own.slice(0, 1), textOf);
  if (best === undefined) throw new Error('no edit');
  return openUndecided(all)(best, rankSurvivors(others.slice(0, rivals), textOf));
}

it('decides among 1,550 edits that are as likely, and not among more', () => {
  expect(judge({ elsewhere: 1_549, rivals: 1 })).toBeUndefined();
  expect(judge({ elsewhere: 1_550, rivals: 1 })).toBe(
    'a single failing test decides among about 1551 edits that are as likely',
  );
});

it('decides among four times as many if no other edit passes', () => {
  expect(judge({ elsewhere: 6_199 })).toBeUndefined();
  expect(judge({ elsewhere: 6_200 })).toBeDefined();
});

it('counts the edits of one kind in one place as one', () => {
  expect(judge({ inPlace: 40, elsewhere: 154 })).toBeUndefined();
  expect(judge({ inPlace: 40, elsewhere: 155 })).toBeDefined();
});

it('does not decide against rivals that are more than three times as likely together', () => {
  expect(judge({ elsewhere: 9, rivals: 3 })).toBeUndefined();
  expect(judge({ elsewhere: 9, rivals: 4 })).toBe(
    'a single failing test decides, and 4 other edits pass as well',
  );
});

it('does not judge several edits together, which are no candidates', () => {
  const [pair] = rankSurvivors([survivor('pair')], textOf);
  if (pair === undefined) throw new Error('no edit');
  expect(openUndecided([])(pair, [])).toBeUndefined();
});

it.each([
  ['all small changes pass', { tried: 3, passed: 3 }, false, /no small change of its lines fails/],
  ['one of them fails', { tried: 3, passed: 2 }, true, undefined],
  ['time was up before all were tried', { tried: 1, passed: 1, cut: true }, true, undefined],
  ['time was up before one was tried', { tried: 0, passed: 0, cut: true }, true, undefined],
  ['there is none, and one test fails', { tried: 0, passed: 0 }, true, /could be tried/],
  ['there is none, and several tests fail', { tried: 0, passed: 0 }, false, undefined],
])('where %s, the tests decide or not', (_, { passed, ...tries }, isOne, why) => {
  const edit = { title: 'constant', text: '', inPlace: true };
  const found = findNoControl(
    { ...tries, passed: Array.from({ length: passed }, () => edit) },
    isOne,
  );
  if (why === undefined) expect(found).toBeUndefined();
  else expect(found).toMatch(why);
});
