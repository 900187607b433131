/** Makes suspects without coverage of the files that failing tests import. Pure. */
import type { Suspect } from './localise.ts';

/** Suspicion of a line without further evidence. */
const plainScore = 0.3;
const maxFiles = 5;

/** Every line of code in these files, all with the same suspicion. */
export function evenSuspects(texts: ReadonlyMap<string, string>): readonly Suspect[] {
  return [...texts]
    .slice(0, maxFiles)
    .flatMap(([path, text]) =>
      text
        .split('\n')
        .flatMap((line, i) =>
          /\w/.test(line) && !/^\s*(\/\/|\*|\/\*|#|import\b|from\b)/.test(line)
            ? [{ path, line: i + 1, score: plainScore }]
            : [],
        ),
    );
}
