/** Selects the tests of pytest that are likely to fail with a patch. Pure. */
import {
  type EarlyScope,
  type FileWords,
  positionals,
  runsTests,
  type Selection,
  selectFiles,
} from '../shared/select.ts';

const testFile = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/;

/** The words for pytest; undefined for another command. */
export function selectEarly(
  words: readonly string[],
  scope: EarlyScope,
): Promise<Selection> | undefined {
  const plain = withoutFiles(words);
  return plain === undefined
    ? undefined
    : selectFiles(plain, scope, path => testFile.test(path) && runsTests(path));
}

/** The words of pytest, without files; undefined for another command. */
export function withoutFiles(words: readonly string[]): FileWords | undefined {
  const at = words.findIndex(w => /^(\S*\/)?(pytest|py\.test)$/.test(w));
  const isModule = words[at - 1] === '-m' && /(^|\/)python[\d.]*$/.test(words[at - 2] ?? '');
  if (at < 0 || (at > 0 && !isModule)) return undefined;
  const rest = positionals(words.slice(at + 1), /^(-k|-m|-n|-p|-c|-o|-W|--\w[\w-]*)$/);
  // a node id names a case, and not a file
  if (rest.files.some(f => f.includes('::'))) return undefined;
  return { words: [...words.slice(0, at + 1), ...rest.flags], files: rest.files };
}
