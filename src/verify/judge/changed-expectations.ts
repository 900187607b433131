/** Names what a patch changes in what tests expect: the test, the old lines and the new ones. Pure. */
import type { ChangedExpectation } from '../../base/outcome.ts';
import { listFirst } from '../../base/plural.ts';
import { getStateText, testNames } from '../../ecosystems/tests/test-role.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { compareLines } from '../../workspace/text/compare-lines.ts';

const maxChars = 200;
const maxListed = 50;

/** The lines of tests that a patch replaces or removes, in the cases that fail; in all, if these cannot be told. */
export function changedExpectations(
  changes: readonly FileChange[],
  failing: readonly string[],
): readonly ChangedExpectation[] {
  const all = changes.flatMap(({ path, before, after }) => {
    const [old, now] = [toLines(before), toLines(after)];
    let test = '';
    const within = old.map(line => (test = testNames(line)[0] ?? test));
    return compareLines(old, now).flatMap(({ oldStart, oldEnd, newStart, newEnd }) => {
      const gone = joinLines(old.slice(oldStart, oldEnd));
      const made = joinLines(now.slice(newStart, newEnd));
      return gone === '' ? [] : [{ path, test: within[oldStart] ?? '', before: gone, after: made }];
    });
  });
  const ofFailing = all.filter(({ test }) => test !== '' && failing.some(id => id.includes(test)));
  return (ofFailing.length > 0 ? ofFailing : all).slice(0, maxListed);
}

/** `adds: assert.equal(a, 1); ► assert.equal(a, 2);`. */
export function describeExpectations(changed: readonly ChangedExpectation[]): string {
  const name = ({ path, test, before, after }: ChangedExpectation) =>
    `${test || path}: ${before} ► ${after || '(removed)'}`;
  return listFirst(changed, name, { most: 10, between: ' | ' });
}

function toLines(state: FileChange['before']): readonly string[] {
  return getStateText(state).split(/\r?\n/);
}

function joinLines(lines: readonly string[]): string {
  const text = lines.map(line => line.trim()).filter(line => line !== '');
  return text.join(' ').slice(0, maxChars);
}
