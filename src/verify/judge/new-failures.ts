/** Tells what fails with a patch that did not fail without it, where the base fails, too. Pure. */
import { listFirst } from '../../base/plural.ts';
import { listFailures } from './judge.ts';
import type { TestRun } from './test-run.ts';

/** Most new failures that are named, and of which the text is shown. */
const maxNamed = 20;
const maxShown = 2;
/** Most characters and lines of the text of one. */
const maxChars = 1_500;
const maxLines = 25;

/**
 * The new failures by name, and what the run says of the first ones: without it, the failures of the base hide them.
 * Empty if the base passes, or if the failures of a run cannot be told.
 */
export function describeNewFailures(before: TestRun, ran: TestRun | undefined): string {
  const old = listFailures(before);
  const now = listFailures(ran);
  if (before.run.passed || old === undefined || now === undefined || ran === undefined) return '';
  const fresh = now.filter(name => !old.includes(name));
  if (fresh.length === 0) return '';
  const named = listFirst(fresh, String, { most: maxNamed, between: '; ' });
  const texts = fresh.slice(0, maxShown).map(name => findText(ran, name));
  return [
    `New with the patch (the base has other failures): ${named}`,
    ...texts.filter(text => text !== ''),
  ].join('\n');
}

/** The message of a failed case, or what the output says from its name on. */
function findText({ cases, output = '' }: TestRun, name: string): string {
  const message = cases?.find(c => c.id === name)?.message;
  const own = name.split(' > ').at(-1) ?? name;
  const at = Math.max(output.lastIndexOf(name), output.lastIndexOf(own));
  const text = message ?? (at < 0 ? '' : output.slice(at));
  return text.slice(0, maxChars).split('\n').slice(0, maxLines).join('\n').trim();
}
