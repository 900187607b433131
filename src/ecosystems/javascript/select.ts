/** Selects the tests of a JavaScript runner that are likely to fail with a patch. Pure. */
import {
  type EarlyScope,
  maxNames,
  positionals,
  runsTests,
  type Selection,
  selectFiles,
} from '../shared/select.ts';
import { parseNodeTest } from './node-command.ts';

const scriptSource = /\.(?:[cm]?[jt]sx?|vue|svelte|json|css)$/;
/** They change where the results go, or need the whole suite. */
const unusedFlags = /^--(?:coverage|reporters?|outputFile)\b/;

/** The words for node:test, vitest and jest; undefined for another command. */
export function selectEarly(
  words: readonly string[],
  scope: EarlyScope,
): Promise<Selection> | Selection | undefined {
  const node = parseNodeTest({ words });
  if (node !== undefined) {
    const plain = ['node', ...node.flags, '--test', ...node.testFlags];
    return selectFiles(
      { words: plain, files: node.files },
      scope,
      path => /\.[cm]?[jt]s$/.test(path) && runsTests(path),
    );
  }
  return words[0] === 'vitest' || words[0] === 'jest' ? selectRelated(words, scope) : undefined;
}

/** Both runners follow the imports of their tests themselves. */
function selectRelated([program = '', ...words]: readonly string[], scope: EarlyScope): Selection {
  const { flags, files } = positionals(
    words.filter(w => w !== 'run' && w !== '--run'),
    /^(-c|--config|--project|--environment|--pool|-w|--maxWorkers|--reporter|--testEnvironment)$/,
  );
  // with a filter or another root, the files would mean something else
  if (files.length > 0 || flags.some(f => /^(-r|--root|--dir|--rootDir|--watch)\b/.test(f)))
    return undefined;
  const named = [
    ...new Set([...scope.failing, ...scope.changed.filter(p => scriptSource.test(p))]),
  ];
  if (named.length === 0 || named.length > maxNames) return undefined;
  const kept = flags.filter((f, i) => !unusedFlags.test(f) && !isFlagValue(flags, i));
  return program === 'vitest'
    ? ['vitest', 'related', ...named, '--run', ...kept]
    : ['jest', ...kept, '--findRelatedTests', ...named];
}

function isFlagValue(flags: readonly string[], i: number): boolean {
  return !flags[i]?.startsWith('-') && unusedFlags.test(flags[i - 1] ?? '');
}
