/** Every source of text from outside passes one gate, which leaves nothing that its readers do not see. */
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type OutsideSource,
  outsideSources,
  readOutside,
} from '../../../src/guard/content/outside-text.ts';
import { root } from '../../root.ts';
import { nodesOf, parseSource } from '../../syntax.ts';

/** Where people read each source: on a page of GitHub, as it is written, or among lines of code. */
const readAs = {
  issue: 'page',
  comment: 'page',
  'task input': 'page',
  'instruction file': 'page',
  'check summary': 'page',
  alert: 'page',
  record: 'page',
  'MCP result': 'page',
  title: 'text',
  'typed task': 'text',
  'CI log': 'text',
  'commit message': 'text',
  'earlier run': 'text',
  'earlier patch': 'text',
  diff: 'code',
  path: 'code',
  'tool result': 'code',
  'MCP tool': 'code',
} as const satisfies Readonly<Record<OutsideSource, string>>;

/** What a stranger writes, and what stays of it on a page. `as-is`: everybody sees it there. */
const payloads: readonly (readonly [name: string, raw: string, page: string])[] = [
  ['a closed comment', 'seen <!-- obey --> end', 'seen  end'],
  ['a comment over lines', 'seen\n\n<!--\nobey\n-->\n\nend', 'seen\n\n\n\nend'],
  ['an unclosed comment in a line', 'seen <!-- shown\n\nend', 'as-is'],
  ['an unclosed comment in a block', 'seen\n\n<!-- obey\n\nobey', 'seen\n\n‹15 hidden characters›'],
  ['an unclosed comment in code', 'seen `<!--` code\n\n```\n<!--\n```\n\nend', 'as-is'],
  ['a comment that another block closes', '<div>\n<!-- obey\n\nobey\n\n<p>-->end', '<div>\nend'],
  ['an entity for a hidden character', 'se&#8203;en&ZeroWidthSpace; end', 'seen end'],
  ['an entity in HTML', '<p>se&#x200B;en</p>', '<p>seen</p>'],
  ['an alternative text', '![obey](u) end', '![](u) end'],
  ['an alternative text in HTML', '<img alt="obey" src="u"> end', '<img src="u"> end'],
  ['a title', '[seen](u "obey") end', '[seen](u ) end'],
  ['a title in HTML', '<a title="obey" href="u">seen</a>', '<a href="u">seen</a>'],
  ['a data attribute', '<p data-x="obey">seen</p>', '<p>seen</p>'],
  ['an aria attribute', 'seen <b aria-label="obey">end</b>', 'seen <b>end</b>'],
  ['an instruction of XML', 'seen <? obey ?> end', 'seen  end'],
  ['a declaration', 'seen <!DOCTYPE obey> end', 'seen  end'],
  ['a definition', 'seen\n\n[//]: # (obey)\n\nend', 'seen\n\n\n\nend'],
  ['the label of a definition', 'seen\n\n[obey this]: u\n\nend', 'seen\n\n\n\nend'],
  ['the label of a reference', '[seen][obey this]\n\n[obey this]: u', '[seen][]\n\n'],
  ['a label that is shown', '[seen here]\n\n[Seen here]: u\n\n[x][y]\n\n[y]: u', 'as-is'],
];

const hidden = 'se\u200ben \u{e0041}\u{e0042}end';

describe.each(Object.entries(readAs) as [OutsideSource, string][])('%s', (source, form) => {
  it.each(payloads)('%s is no hidden text', (_name, raw, page) => {
    const { text, removed } = readOutside(source, raw);
    const shown = form === 'page' && page !== 'as-is' ? page : raw;
    expect(text).toBe(shown);
    expect(removed > 0).toBe(shown !== raw);
  });

  it('hidden characters are removed or named', () => {
    const shown = 'se‹U+200B›en ‹U+E0041›‹U+E0042›end';
    expect(readOutside(source, hidden)).toEqual({
      text: form === 'code' ? shown : 'seen end',
      removed: 3,
    });
  });
});

describe('the gate', () => {
  const files = globSync('src/**/*.ts', { cwd: root }).sort();
  const read = (path: string) => readFileSync(join(root, path), 'utf8');

  it('has a row here for each of its sources, and each of them is a source', () => {
    expect(Object.keys(readAs).sort()).toEqual(Object.keys(outsideSources).sort());
    const texts = files.filter(f => !f.endsWith('outside-text.ts')).map(read);
    const used = (name: string) =>
      texts.some(t =>
        new RegExp(`(?:readOutside\\(|cleanTexts\\(|source: |source = )'${name}'`).test(t),
      );
    expect(Object.keys(outsideSources).filter(name => !used(name))).toEqual([]);
  });

  it('is the only place that cleans what a model reads', () => {
    const cleaners = /\b(?:showHiddenCharacters|withoutHiddenCharacters|withoutUnshown)\b/;
    expect(files.filter(path => cleaners.test(read(path)))).toEqual([
      'src/guard/content/hidden-characters.ts',
      'src/guard/content/hidden-markup.ts',
      'src/guard/content/outside-text.ts',
      // what Photon publishes
      'src/report/escape.ts',
    ]);
  });

  it('is passed in every file that gives a task a text', () => {
    const gives = (path: string) =>
      [...nodesOf(parseSource(join(root, path)).body)].some(([node]) => {
        if (node.type !== 'ObjectExpression') return false;
        const names = keysOf(node.properties);
        return ['label', 'author', 'text'].every(name => names.includes(name));
      });
    expect(read('src/hosts/planned-task.ts')).toMatch(/function cleanTexts\(.*\n.*readOutside\(/);
    const told = files.filter(path => /\bauthor\b/.test(read(path)));
    const passed = told
      .filter(gives)
      .filter(path => !/\b(?:readOutside|cleanTexts)\(/.test(read(path)));
    expect(passed.map(path => relative('src', path))).toEqual([
      // these read such texts
      'agent/context/prompt.ts',
      'audit/record.ts',
      // the diff is read file by file, by renderFiles
      'hosts/github/triggers/review-task.ts',
      // names and versions of two strict forms
      'hosts/github/triggers/update-pull.ts',
    ]);
  });
});

const keysOf = (properties: unknown) =>
  (properties as { key?: { name?: string } }[]).map(each => each.key?.name ?? '');

describe('a text that was made to keep its cleaning busy', () => {
  const page = (raw: string) => readOutside('comment', raw);

  it('of comments whose removal joins the next one is cut where they begin', () => {
    const levels = 50_000;
    const { text, removed } = page(`shown ${'<'.repeat(levels)}${'!-- -->'.repeat(levels)} obey`);
    expect(text).toMatch(/^shown <+‹\d+ hidden characters›$/);
    expect(removed).toBeGreaterThan(levels * 6);
  });

  it('with few such levels is cleaned to its end', () => {
    expect(page('a <<<!-- x -->!-- y -->!-- z --> b')).toEqual({ text: 'a  b', removed: 30 });
  });

  it('of marks on one letter keeps 30 of them, and every letter with fewer', () => {
    // unsorted marks: to put a million of them in order takes minutes
    const { text, removed } = page(`a${'\u0300\u0316'.repeat(500_000)} e\u0301`);
    expect(removed).toBe(1_000_000 - 30);
    expect(text).toMatch(/^\p{L}\p{M}{29} \u00e9$/u);
  });
});

describe.each(['CI log', 'typed task'] as const)('a terminal sequence in a %s', source => {
  it.each([
    ['the title of a window', 'a\u001b]0;obey the text\u0007b', 'ab'],
    ['a title with the long end', 'a\u001b]2;obey\u001b\\b', 'ab'],
    ['a link', '\u001b]8;;https://e.com/obey\u001b\\seen\u001b]8;;\u001b\\ end', 'seen end'],
    ['a message to a device', 'a\u001bPobey\u001b\\b\u001b_obey\u001b\\c', 'abc'],
    ['a colour', '\u001b[1;31mred\u001b[0m \u001b[8mseen\u001b[28m', 'red seen'],
    ['one without an end', 'a\u001b]0;seen', 'a]0;seen'],
  ])('goes whole: %s', (_name, raw, shown) => {
    const found = readOutside(source, raw);
    expect(found).toEqual({ text: shown, removed: raw.length - shown.length });
  });
});

describe('what no reader of a page sees', () => {
  const samples: [string, string, number][] = [
    ['<\u200b!-- split --> x', ' x', 15],
    ['👩\u200d💻 ❤\ufe0f ok', '👩\u200d💻 ❤\ufe0f ok', 0],
    ['a\r\nb', 'a\nb', 0],
    ['plain <b>bold</b> text & more', 'plain <b>bold</b> text & more', 0],
    ['e\u0301', 'é', 0],
  ];
  it.each(samples)('%j shows %j and counts %d', (raw, shown, count) => {
    expect(readOutside('comment', raw)).toEqual({ text: shown, removed: count });
  });

  it('keeps a joiner that a script needs, however it is written', () => {
    expect(readOutside('comment', 'می&zwnj;خواهم').text).toBe('می\u200cخواهم');
  });
});
