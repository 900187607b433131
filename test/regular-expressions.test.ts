/** Photon's own regular expressions run on foreign text: none may take the square of its length. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './root.ts';
import { nodesOf, parseSource } from './syntax.ts';

interface Literal {
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

const literalsOf = (path: string): readonly Literal[] =>
  [...nodesOf(parseSource(join(root, path)).body)].flatMap(([{ regex }]) =>
    regex ? { ...(regex as Omit<Literal, 'place'>), place: path } : [],
  );

/** A character, a class or an escape, any number of times. */
const repeated = String.raw`(?:\\[pP]\{[^}]*\}|\\.|\[(?:[^\]\\]|\\.)*\]|[^\\^$()|[\]?*+{}])(?:[*+]|\{\d+,\})`;
/** A search that begins with a repetition and then wants more looks at each run again from each of its places. */
const begins = new RegExp(String.raw`^(?:\((?:\?:|\?<\w+>)?)*${repeated}(?![?\)]*$|\)*\|)`);
/** From each line, white space that crosses lines is looked at up to its end. */
const crosses = /(?:^|[(|])\^\\s[*+]/;

/** Those that begin so, and why they never fail in a run. */
const neverFail: Readonly<Record<string, string>> = {
  'src/workspace/trusted/instruction-files.ts: (`+)[^`]*?\\1': 'any two marks match',
  'src/verify/judge/test-run.ts: \\d+(?:[.,]\\d+)*': 'what follows is optional',
  'src/skills/boundary.ts: [^\\s,(]+(\\([^)]{0,500}\\))?': 'what follows is optional',
  'src/guard/content/hidden-markup.ts: ([^\\s/>=]+)(?:\\s*=\\s*(?:"([^"]*)(?:"|$)|\'([^\']*)(?:\'|$)|([^\\s>"\'][^\\s>]*))?)?':
    'what follows is optional',
  'src/base/edit-title.ts: [\\w$]+(?:\\.[\\w$]+)*|"(?:[^"\\\\]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\'|[<>=!&|+\\-*/%?]+|[^\\s\\w]':
    'what follows is optional',
};

const literals = globSync('src/**/*.ts', { cwd: root }).flatMap(literalsOf);
const shown = ({ place, pattern }: Literal) => `${place}: ${pattern}`;

describe('a regular expression', () => {
  it('does not begin with a repetition that something must follow', () => {
    const slow = literals.filter(each => !each.flags.includes('y') && begins.test(each.pattern));
    expect(slow.map(shown).filter(each => neverFail[each] === undefined)).toEqual([]);
    expect(Object.keys(neverFail).filter(each => !slow.map(shown).includes(each))).toEqual([]);
  });

  it('does not begin a line with white space that crosses lines', () => {
    const slow = literals.filter(each => each.flags.includes('m') && crosses.test(each.pattern));
    expect(slow.map(shown)).toEqual([]);
  });

  it.each(['\\s+$', '[ \\t]*x', '(\\d+) passed', '(?:\\w+ times|half)', '\\p{M}+x', '(?<n>\\d+):'])(
    'such as /%s/ is found',
    pattern => expect(begins.test(pattern)).toBe(true),
  );

  it.each(['\\s+', '[^\\n]+', '^\\s+$', '(?<!\\s)\\s+$', '\\d{1,3}x', 'a+|b', '(\\d+)'])(
    'such as /%s/ is none',
    pattern => expect(begins.test(pattern)).toBe(false),
  );
});
