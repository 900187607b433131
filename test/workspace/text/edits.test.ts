import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyEdits,
  type LineEdit,
  placeText,
  replaceContent,
} from '../../../src/workspace/text/edits.ts';
import {
  findUnwritable,
  parseTextFile,
  renderTextFile,
  type TextFile,
} from '../../../src/workspace/text/text-file.ts';
import { anyText, file, text } from './any-text.ts';

/** A reference implementation: terminated lines in an array, edits applied from the last to the first. */
function reference(t: string, edits: readonly Required<LineEdit>[]): string {
  const bom = t.startsWith('\uFEFF') ? '\uFEFF' : '';
  const lines = (t.slice(bom.length).match(/[^\n]*\n|[^\n]+$/g) ?? []) as string[];
  const open = lines.length > 0 && !lines.at(-1)?.endsWith('\n');
  const crlf =
    lines.filter(l => l.endsWith('\r\n')).length > lines.filter(l => /(^|[^\r])\n$/.test(l)).length;
  const own = (l: string | undefined) =>
    l?.endsWith('\r\n') ? '\r\n' : l?.endsWith('\n') ? '\n' : crlf ? '\r\n' : '\n';
  const numbered = edits
    .map((e, i) => ({ ...e, i }))
    .sort((a, b) => b.startLine - a.startLine || b.endLine - a.endLine || b.i - a.i);
  for (const e of numbered) {
    const place = (i: number) => Math.max(e.startLine, Math.min(e.startLine + i, e.endLine)) - 1;
    const parts = e.content === '' ? [] : e.content.replace(/\r?\n$/, '').split(/\r?\n/);
    const closed =
      e.startLine - 1 === lines.length && lines.length > 0 && !lines.at(-1)?.endsWith('\n');
    if (closed) lines[lines.length - 1] += crlf ? '\r\n' : '\n';
    const made = parts.map((p, i) => p + own(lines[place(i)]));
    lines.splice(e.startLine - 1, e.endLine - e.startLine + 1, ...made);
  }
  const joined = lines.map((l, i) =>
    i < lines.length - 1 && !l.endsWith('\n') ? l + (crlf ? '\r\n' : '\n') : l,
  );
  const last = joined.length - 1;
  if (last >= 0 && open) joined[last] = (joined[last] ?? '').replace(/\r?\n$/, '');
  return bom + joined.join('');
}

/** Edits that do not overlap, for a file of this many lines. */
function editsFor(count: number) {
  const content = fc
    .array(fc.constantFrom('x', 'yy', '', 'z z'), { maxLength: 3 })
    .map(l => l.map(s => `${s}\n`).join(''));
  return fc
    .array(fc.tuple(fc.nat(4), fc.integer({ min: -1, max: 2 }), content), { maxLength: 5 })
    .map(parts => {
      const edits: Required<LineEdit>[] = [];
      let next = 1;
      for (const [gap, size, c] of parts) {
        const startLine = next + gap;
        const endLine = startLine + size;
        if (startLine > count + 1 || endLine > count || (size >= 0 && startLine > count)) break;
        edits.push({ startLine, endLine, content: c });
        next = Math.max(endLine + 1, startLine) + 1;
      }
      return edits;
    });
}

const cases = anyText.chain(t => editsFor(file(t).lines.length).map(edits => ({ t, edits })));

describe('a file in Latin-1', () => {
  const bytes = (t: string) => Buffer.from(t, 'latin1');
  const latin = parseTextFile(bytes('gr\u00fc\u00df\r\n\u0080uro\r\nend')) as TextFile;

  it('keeps every byte outside the edited lines', () => {
    const edited = applyEdits(latin, [{ startLine: 3, content: 'Stra\u00dfe' }]);
    expect(edited.ok && Buffer.from(renderTextFile(edited.file))).toEqual(
      bytes('gr\u00fc\u00df\r\n\u0080uro\r\nStra\u00dfe'),
    );
    const whole = replaceContent(latin, '\u00e9t\u00e9\n');
    expect(Buffer.from(renderTextFile(whole))).toEqual(bytes('\u00e9t\u00e9\r\n'));
  });

  it.each([
    ['\u00ff', undefined],
    ['a\u20ac', '\u20ac'],
    ['\u{1f600}b', '\u{1f600}'],
  ])('%j: what it cannot hold is found: %j', (content, strange) => {
    expect(findUnwritable(replaceContent(latin, content))).toBe(strange);
    expect(findUnwritable(replaceContent(undefined, content))).toBeUndefined();
  });
});

describe('line edits', () => {
  it('agree with a reference on generated files and edits', () => {
    fc.assert(
      fc.property(cases, ({ t, edits }) => {
        const result = applyEdits(file(t), edits);
        expect(result.ok).toBe(true);
        if (result.ok) expect(text(result.file)).toBe(reference(t, edits));
      }),
      { numRuns: 2000 },
    );
  });

  it('are undone by the inverse edits, byte for byte', () => {
    fc.assert(
      fc.property(cases, ({ t, edits }) => {
        const before = file(t);
        const result = applyEdits(before, edits);
        if (!result.ok) throw new Error(result.problems.join());
        // the inverse edit cannot restore mixed line endings inside a replaced range
        fc.pre(new Set(before.terminators.filter(x => x !== '')).size <= 1);
        fc.pre(result.file.lines.length > 0 && before.lines.length > 0);
        let moved = 0;
        const inverse = result.replacements.map(r => {
          const startLine = r.startLine + moved;
          moved += r.inserted - (r.endLine - r.startLine + 1);
          const old = before.lines.slice(r.startLine - 1, r.endLine);
          return {
            startLine,
            endLine: startLine + r.inserted - 1,
            content: old.map(l => `${l}\n`).join(''),
          };
        });
        fc.pre(
          result.file.terminators.some(x => x !== '') === before.terminators.some(x => x !== ''),
        );
        const back = applyEdits(result.file, inverse);
        if (!back.ok) throw new Error(back.problems.join());
        expect(text(back.file)).toBe(t);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['one line', 'a\nb\nc\n', [{ startLine: 2, content: 'B' }], 'a\nB\nc\n'],
    ['an empty content deletes', 'a\nb\nc\n', [{ startLine: 2, content: '' }], 'a\nc\n'],
    ['one newline is one empty line', 'a\nb\n', [{ startLine: 2, content: '\n' }], 'a\n\n'],
    [
      'an insert before the first line',
      'a\n',
      [{ startLine: 1, endLine: 0, content: 'x' }],
      'x\na\n',
    ],
    ['an insert at the end', 'a\n', [{ startLine: 2, endLine: 1, content: 'x' }], 'a\nx\n'],
    [
      'an insert at the end without a final newline keeps it so',
      'a',
      [{ startLine: 2, endLine: 1, content: 'x\n' }],
      'a\nx',
    ],
    ['an insert into an empty file', '', [{ startLine: 1, endLine: 0, content: 'x' }], 'x\n'],
    [
      'CRLF is kept for new lines',
      'a\r\nb\r\n',
      [{ startLine: 2, content: 'x\ny' }],
      'a\r\nx\r\ny\r\n',
    ],
    [
      'a replaced line keeps the ending of its place',
      'a\r\nb\nc\r\n',
      [{ startLine: 1, endLine: 2, content: 'x\ny\nz\n' }],
      'x\r\ny\nz\nc\r\n',
    ],
    [
      'two inserts at one place keep their order',
      'a\nb\n',
      [
        { startLine: 2, endLine: 1, content: 'x' },
        { startLine: 2, endLine: 1, content: 'y' },
      ],
      'a\nx\ny\nb\n',
    ],
    [
      'an insert at the border of a replacement',
      'a\nb\nc\n',
      [
        { startLine: 2, endLine: 1, content: 'x' },
        { startLine: 2, content: 'B' },
      ],
      'a\nx\nB\nc\n',
    ],
  ])('%s', (_name, t, edits, expected) => {
    const result = applyEdits(file(t), edits);
    expect(result.ok && text(result.file)).toBe(expected);
  });

  it.each([
    [
      [{ startLine: 4, content: 'x' }],
      ['edit 1 (4-4): the file has 3 lines; start_line 4 with end_line 3 appends'],
    ],
    [
      [{ startLine: 5, endLine: 4, content: 'x' }],
      ['edit 1 (5-4): the file has 3 lines; start_line 4 with end_line 3 appends'],
    ],
    [
      [{ startLine: 3, endLine: 4, content: '' }],
      ['edit 1 (3-4): the file has 3 lines; start_line 4 with end_line 3 appends'],
    ],
    [
      [
        { startLine: 1, endLine: 2, content: 'x' },
        { startLine: 2, content: 'y' },
      ],
      ['edit 1 (1-2) and edit 2 (2-2) overlap'],
    ],
    [
      [
        { startLine: 2, endLine: 1, content: 'x' },
        { startLine: 1, endLine: 3, content: 'y' },
      ],
      ['edit 1 (2-1) and edit 2 (1-3) overlap'],
    ],
  ])('%j is refused with all that is wrong', (edits, problems) => {
    expect(applyEdits(file('a\nb\nc\n'), edits)).toEqual({ ok: false, problems });
  });

  it('a replaced text keeps mixed line endings line by line', () => {
    const place = fc.record({
      end: fc.constantFrom('\n' as const, '\r\n' as const),
      change: fc.constantFrom('keep', 'keep', 'drop', 'replace', 'insert'),
    });
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 20 }), places => {
        const before = places.map((p, i) => `line ${i}${p.end}`).join('');
        const content = places
          .map(({ change }, i) => {
            if (change === 'drop') return '';
            if (change === 'replace') return `new ${i}\n`;
            return change === 'insert' ? `line ${i}\nafter ${i}\n` : `line ${i}\n`;
          })
          .join('');
        const after = replaceContent(file(before), content);
        const endOf = new Map(after.lines.map((l, i) => [l, after.terminators[i]]));
        for (const [i, { end, change }] of places.entries()) {
          if (change === 'keep' || change === 'insert') expect(endOf.get(`line ${i}`)).toBe(end);
          const [above, below] = [places[i - 1]?.change, places[i + 1]?.change];
          const alone = [above, below].every(c => c === undefined || c === 'keep');
          if (change === 'replace' && alone) expect(endOf.get(`new ${i}`)).toBe(end);
        }
      }),
    );
  });

  it.each([
    [
      'a new line takes the ending of the line before',
      'a\r\nb\nc\n',
      'a\nx\nb\nc\n',
      'a\r\nx\r\nb\nc\n',
    ],
    [
      'a new first line takes that of the line after',
      'a\r\nb\nc\n',
      'x\na\nb\nc\n',
      'x\r\na\r\nb\nc\n',
    ],
    ['the last newline goes', 'a\r\nb\nc\n', 'a\nb\nc', 'a\r\nb\nc'],
    ['the last newline comes', 'a\r\nb\nc', 'a\nb\nc\n', 'a\r\nb\nc\n'],
  ])('%s', (_name, before, content, expected) => {
    expect(text(replaceContent(file(before), content))).toBe(expected);
  });

  it('two long texts with nothing in common are compared within a bound', () => {
    const lines = (name: string) => Array.from({ length: 20_000 }, (_, i) => `${name} ${i}\n`);
    const before = file(`first\r\n${lines('a').join('')}`);
    const after = replaceContent(before, `first\n${lines('b').join('')}`);
    expect(after.terminators.slice(0, 3)).toEqual(['\r\n', '\n', '\n']);
  });

  it.each([
    ['added', 'a\r\nb', true, 'a\r\nB\r\n'],
    ['taken away', 'a\nb\n', false, 'a\nB'],
    ['as it was', 'a\nb', false, 'a\nB'],
  ])(
    'an edit of the last line says whether it ends with a newline: %s',
    (_name, t, finalNewline, expected) => {
      const result = applyEdits(file(t), [{ startLine: 2, content: 'B' }], { finalNewline });
      expect(result.ok && text(result.file)).toBe(expected);
    },
  );

  it.each([
    ['one of several edits', [1, 2]],
    ['an edit of several lines', [[1, 2]]],
    ['an insertion at the end', [[3, 2]]],
  ] as const)('%s reaches the last line', (_name, ranges) => {
    const edits = ranges.map(range => {
      const [startLine, endLine] = typeof range === 'number' ? [range, range] : range;
      return { startLine, endLine, content: 'x' };
    });
    const result = applyEdits(file('a\nb\n'), edits, { finalNewline: false });
    expect(result.ok && text(result.file)).toMatch(/x$/);
  });

  it('an edit elsewhere says nothing about the last newline', () => {
    const result = applyEdits(file('a\nb'), [{ startLine: 1, content: 'A' }], {
      finalNewline: true,
    });
    expect(result).toEqual({
      ok: false,
      problems: ['final_newline: needs an edit of the last line, 2'],
    });
  });
});

describe('edits in any order', () => {
  const shuffled = cases.chain(({ t, edits }) =>
    fc
      .shuffledSubarray(edits, { minLength: edits.length })
      .map(mixed => ({ t, edits, mixed: mixed as readonly Required<LineEdit>[] })),
  );

  it('give the same text, and replacements in order of their lines', () => {
    fc.assert(
      fc.property(shuffled, ({ t, edits, mixed }) => {
        const one = applyEdits(file(t), edits);
        const other = applyEdits(file(t), mixed);
        expect(other).toEqual(one);
        if (!one.ok) return;
        const starts = one.replacements.map(r => r.startLine);
        expect(starts).toEqual([...starts].sort((a, b) => a - b));
      }),
      { numRuns: 500 },
    );
  });

  it('are ordered by their ends when they begin at the same line', () => {
    const edits = [
      { startLine: 2, content: 'B' },
      { startLine: 2, endLine: 1, content: 'x' },
    ];
    const result = applyEdits(file('a\nb\nc\n'), edits);
    expect(result.ok && text(result.file)).toBe('a\nx\nB\nc\n');
  });

  it.each([
    [
      'behind a replacement',
      [
        { startLine: 1, endLine: 2, content: '' },
        { startLine: 3, endLine: 2, content: 'x' },
      ],
      'x\nc\n',
    ],
    [
      'before a replacement',
      [
        { startLine: 2, endLine: 1, content: 'x' },
        { startLine: 2, endLine: 3, content: '' },
      ],
      'a\nx\n',
    ],
    [
      'of neighbouring lines',
      [
        { startLine: 2, content: 'y' },
        { startLine: 1, content: 'x' },
      ],
      'x\ny\nc\n',
    ],
  ])('an edit %s is taken', (_name, edits, expected) => {
    const result = applyEdits(file('a\nb\nc\n'), edits);
    expect(result.ok && text(result.file)).toBe(expected);
  });

  it('a replaced text brings a byte order mark, or keeps that of the file', () => {
    expect(text(replaceContent(file('a\n'), '\uFEFFb\n'))).toBe('\uFEFFb\n');
    expect(text(replaceContent(undefined, '\uFEFFb'))).toBe('\uFEFFb');
    expect(text(replaceContent(file('\uFEFFa\n'), 'b\n'))).toBe('\uFEFFb\n');
    expect(text(replaceContent(file('a\n'), 'b\uFEFF'))).toBe('b\uFEFF');
    expect(text(replaceContent(file('a\r\n'), 'b\nc'))).toBe('b\r\nc');
  });

  it('only a CR before the newline is part of the line end', () => {
    expect(file('\na\r\n\r\r\n').lines).toEqual(['', 'a', '\r']);
    expect(file('\r\n').terminators).toEqual(['\r\n']);
    expect(file('\n\r').lines).toEqual(['', '\r']);
  });
});

describe('an edit by the text that it replaces', () => {
  const lines = ['a(1);', '  b(2);', '', 'c(3);', 'c(3);'];
  it.each([
    ['one line', '  b(2);', '  b(3);', { startLine: 2, endLine: 2, content: '  b(3);\n' }],
    ['a part of a line', 'b(2', 'b(3', { startLine: 2, endLine: 2, content: '  b(3);\n' }],
    ['with its newline', 'a(1);\n', 'a(2);', { startLine: 1, endLine: 1, content: 'a(2);\n' }],
    ['a line that goes', 'b(2);', '', { startLine: 2, endLine: 2, content: '' }],
    ['a part that goes', '(2)', '', { startLine: 2, endLine: 2, content: '  b;\n' }],
    [
      'what differs',
      'a(1);\r\n  b(2);\n',
      'a(1);\nx;\n  b(2);\n',
      { startLine: 2, endLine: 1, content: 'x;\n' },
    ],
    ['a blank line that goes', 'b(2);\n\n', 'b(2);\n', { startLine: 3, endLine: 3, content: '' }],
    [
      'lines at the end',
      'c(3);\nc(3);',
      'c(3);\nc(3);\nd',
      { startLine: 6, endLine: 5, content: 'd\n' },
    ],
    ['nothing new', 'a(1);', 'a(1);', { startLine: 1, endLine: 1, content: 'a(1);\n' }],
  ])('%s', (_name, old, content, edit) => {
    expect(placeText(lines, { old, content })).toEqual(edit);
  });

  it.each([
    ['c(3);', [4, 5]],
    [';', [1, 2, 4, 5]],
    ['d', []],
    ['\n', []],
    ['a(1);\n\n', []],
    ['b(2)\n', []],
  ])('%j is not at one place', (old, places) => {
    expect(placeText(lines, { old, content: 'x' })).toEqual(places);
  });
});
