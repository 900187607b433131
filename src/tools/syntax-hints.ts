/** Compares how a file parses before and after an edit. */
import type { SyntaxChecker, SyntaxReport } from '../navigation/syntax/syntax.ts';
import type { TextFile } from '../workspace/text/text-file.ts';

/** What the model is told of errors that only a grammar of the index reports. */
export const notCertain =
  'possible errors; the grammar of the index does not know the whole language, so they may be none';

/** The text of a file before an edit, undefined when it did not exist, and after it. */
interface EditedText {
  readonly before: TextFile | undefined;
  readonly after: TextFile;
}

/** The report on the text after an edit, when it has errors and the text before it had none; undefined otherwise. */
export async function findAddedErrors(
  path: string,
  { before, after }: EditedText,
  syntax: SyntaxChecker,
): Promise<SyntaxReport | undefined> {
  const found = await syntax.check(path, joinLines(after));
  if (found === undefined || found.errors.length === 0) return undefined;
  const earlier = before === undefined ? undefined : await syntax.check(path, joinLines(before));
  return earlier === undefined || earlier.errors.length === 0 ? found : undefined;
}

function joinLines(file: TextFile): string {
  return file.lines.join('\n');
}

/** Errors of written files that did not refuse the edit, for its result. */
export function renderHint(path: string, { complete, errors }: SyntaxReport): string {
  const rows = errors.slice(0, 3).map(e => `${path}:${e.line}: ${e.message}`);
  return [complete ? `${path}: does not parse` : `${path}: ${notCertain}`, ...rows].join('\n');
}
