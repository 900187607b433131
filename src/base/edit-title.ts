/** Says in one line what an edit changes, from its text before and after, and what a run is called by it. Pure. */
import { hasPatch, type Outcome, type RepairEdit } from './outcome.ts';
import { commonEnds, oneLine } from './plural.ts';

/** What an edit wrote over what: line ends are blanks, and both parts have balanced brackets if they can. */
interface Replaced {
  readonly before: string;
  readonly after: string;
}

/** Longest part of an edit that a title shows, in characters. */
const maxPart = 40;

/** What the edit changes, as an order with code in backticks, such as ``Change `10` to `100` in `total` ``; a shorter one follows. */
export function editTitles(edit: Omit<RepairEdit, 'kind' | 'template' | 'source'>): string[] {
  const place = codeSpan(edit.symbol || edit.path);
  const what = describeChange(replacedPart(edit));
  const short = `Fix ${place}`;
  return what === undefined ? [short] : [`${what} in ${place}`, short];
}

/** The first title of an edit. */
export function editTitle(edit: Parameters<typeof editTitles>[0]): string {
  return editTitles(edit)[0] ?? '';
}

/** A text between backticks, none of which is its own. */
export function codeSpan(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

function describeChange({ before, after }: Replaced): string | undefined {
  if (Math.max(before.length, after.length) > maxPart) return undefined;
  if (before === after) return undefined;
  if (before === '') return `Add ${codeSpan(after)}`;
  if (after === '') return `Remove ${codeSpan(before)}`;
  return `Change ${codeSpan(before)} to ${codeSpan(after)}`;
}

const token = /[\w$]+(?:\.[\w$]+)*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[<>=!&|+\-*/%?]+|[^\s\w]/gu;

/** The tokens that differ, with those behind and before them that close or open their brackets. */
function replacedPart({ before, after }: Pick<RepairEdit, 'before' | 'after'>): Replaced {
  const [one, other] = [before, after].map(text => [...text.matchAll(token)]);
  if (one === undefined || other === undefined) return { before, after };
  let { head: top, tail: bottom } = commonEnds(
    one.map(([text]) => text),
    other.map(([text]) => text),
  );
  const parts = () => ({
    before: joinTokens(before, one.slice(top, one.length - bottom)),
    after: joinTokens(after, other.slice(top, other.length - bottom)),
  });
  const isOpen = () => Object.values(parts()).some(text => !isBalanced(text));
  while (isOpen() && bottom > 0) bottom -= 1;
  while (isOpen() && top > 0) top -= 1;
  return parts();
}

function joinTokens(text: string, tokens: readonly RegExpExecArray[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  if (first === undefined || last === undefined) return '';
  return text.slice(first.index, last.index + last[0].length).replace(/(?<!\s)\s*\n\s*/g, ' ');
}

function isBalanced(text: string): boolean {
  const count = (signs: RegExp) => text.match(signs)?.length ?? 0;
  return count(/[([{]/g) === count(/[)\]}]/g);
}

/** The part of an outcome that names a run. Outcomes of earlier versions have no text of the task. */
export type NamedRun = Pick<Outcome, 'status' | 'message'> & {
  readonly task: Pick<Outcome['task'], 'id' | 'text'>;
  readonly repair?: { readonly edit?: Parameters<typeof editTitle>[0] | undefined } | undefined;
};

/** Characters of a task on one line. */
const maxChars = 120;

/** What was asked, on one line; empty if the outcome does not say it. */
export function askedText({ task }: Pick<NamedRun, 'task'>, max = maxChars): string {
  return oneLine(task.text ?? '', max);
}

/** What the edit of the embedded engine changed, or what was asked if there is a patch; else how the run ended. */
export function runTitle(run: NamedRun): string {
  if (!hasPatch(run.status)) return run.message;
  const edit = run.repair?.edit;
  return (edit === undefined ? askedText(run) : editTitle(edit)) || run.message;
}
