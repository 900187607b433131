import { describe, expect, it } from 'vitest';
import {
  findCommand,
  findLocation,
  isHiddenInline,
  ownMark,
  readTriggerWords,
  textDigest,
} from '../../../../src/hosts/github/parse/find-command.ts';

const fix = { verb: 'fix', text: 'it' };

describe('a command', () => {
  it.each([
    ['alone', '/photon fix it', fix],
    ['with capitals', '/photon FIX it', fix],
    ['behind words', 'Please look.\n\n/photon fix it', fix],
    ['behind a line of words', 'Please look.\n/photon fix it', fix],
    ['with spaces behind', '/photon fix it  ', fix],
    ['with tabs', '/photon\tfix\tit', fix],
    ['with CRLF', 'a\r\n/photon fix it\r\n', fix],
    ['over several lines', '/photon fix\nit', fix],
    ['without a verb', '/photon', { verb: 'help', text: '' }],
    ['with another case of the name', '/Photon fix it', fix],
    ['behind a space', ' /photon fix it', fix],
    ['behind a no-break space', '\u00a0/photon fix it', fix],
    ['behind a byte order mark', '\ufeff/photon fix it', fix],
    ['behind a space that nobody sees', '\u200b/photon fix it', fix],
    ['with no-break spaces', '/photon\u00a0fix\u00a0it', fix],
    ['with an ideographic space', '/photon\u3000fix it', fix],
    ['with a space that nobody sees', '/photon fix\u2060 it', fix],
    ['with a colon behind the verb', '/photon fix: it', fix],
    ['with a comma behind the verb', '/photon fix, it', fix],
    ['with a colon behind the name', '/photon: fix it', fix],
    ['with a colon alone between them', '/photon:fix it', fix],
    ['with a comma behind the name', '/photon, fix it', fix],
    ['with a colon and no verb', '/photon:', { verb: 'help', text: '' }],
    ['with the colon of the text', '/photon fix a: b', { verb: 'fix', text: 'a: b' }],
    ['with two colons, as an unknown one', '/photon:: fix', { verb: ':', text: 'fix' }],
    ['with a full stop, as an unknown one', '/photon.fix it', { verb: '.fix', text: 'it' }],
    ['behind a fence that is closed', '```\n/photon undo\n```\n/photon fix it', fix],
    ['behind an inline span of three ticks', 'see ```x``` here\n/photon fix it', fix],
    ['behind a comment that is closed', '<!-- /photon undo -->\n/photon fix it', fix],
    ['behind a long comment', '<!--\n/photon undo\n-->\n/photon fix it', fix],
    ['behind a quote and a blank line', '> /photon undo\n\n/photon fix it', fix],
    ['behind a quoted fence', '> ```\n/photon fix it', fix],
    ['behind a price', 'It costs $5, or $6.\n/photon fix it', fix],
    ['behind variables', 'Set $HOME and $PATH\n/photon fix it', fix],
    ['behind a formula', 'where $x$ is $$y$$\n/photon fix it', fix],
    ['behind a block of a formula', '$$\nx\n$$\n\n/photon fix it', fix],
    ['behind a link with a title', 'see [a](https://a.example "t")\n/photon fix it', fix],
    ['behind a definition', '[a]: https://a.example "t"\n\n/photon fix it', fix],
    ['behind a tick alone', 'the ` sign\n/photon fix it', fix],
    ['behind a span of code', '`a`, ``b ` c``\n/photon fix it', fix],
    ['behind a comparison', 'a < b and c > d\n/photon fix it', fix],
    ['behind a tag', 'press <kbd>x</kbd>\n/photon fix it', fix],
    ['behind folded words and an empty line', '<details>x</details>\n\n/photon fix it', fix],
    ['behind a list', '- one\n- two\n\n/photon fix it', fix],
    ['behind a quoted heading', '> # Title\n/photon fix it', fix],
  ])('is found %s', (_name, body, found) => {
    expect(findCommand(body)).toEqual(found);
  });

  it.each([
    ['in the middle of a line', 'do /photon fix it'],
    ['as the beginning of a longer word', '/photonic fix it'],
    ['as a path', '/photon/fix it'],
    ['behind a tab, which is code', '\t/photon fix it'],
    ['in indented code', '    /photon fix it'],
    ['in a fence', '```\n/photon fix it\n```'],
    ['in a fence of tildes', '~~~ text\n/photon fix it\n~~~'],
    ['in a fence that a shorter one does not close', '````\n```\n/photon fix it\n````'],
    ['in a fence that other ticks do not close', '```\n~~~\n/photon fix it'],
    ['in a fence that is never closed', '```sh\n/photon fix it'],
    ['in a quote', '> /photon fix it'],
    ['in the paragraph of a quote', '> somebody wrote\n/photon fix it'],
    ['in a nested quote', '> > somebody wrote\n/photon fix it'],
    ['in a comment of HTML', '<!--\n/photon fix it\n-->'],
    ['in a comment that begins behind words', 'words <!-- hidden\n/photon fix it\n-->'],
    ['in a comment that is never closed', '<!-- x\n/photon fix it'],
    ['in <pre>', '<pre>\n/photon fix it\n</pre>'],
    ['in CDATA', '<![CDATA[\n/photon fix it\n]]>'],
    ['in a span of code over lines', 'see `a\n/photon fix it\n` here'],
    ['in a longer span over lines', 'see ```a\nb ` c\n/photon fix it\n``` here'],
    ['in a formula', 'where $x +\n/photon fix it\n+ y$ is'],
    ['in a formula of two signs', 'where $$x\n/photon fix it\ny$$ is'],
    ['in a block of a formula', '$$\n/photon fix it\n$$'],
    ['in a block of a formula with an empty line', '$$\nx\n\n/photon fix it\n$$'],
    ['in a fence of a formula', '```math\n/photon fix it\n```'],
    ['in the title of a link', '[a](https://a.example "x\n/photon fix it\n")'],
    ['in the title of a link, quoted otherwise', "[a](https://a.example 'x\n/photon fix it\n')"],
    ['in the title of a link, in brackets', '[a](https://a.example (x\n/photon fix it\n))'],
    ['in the title of an image', '![a](https://a.example/i.png "x\n/photon fix it\n")'],
    ['in the title of a definition', '[a]: https://a.example "x\n/photon fix it\n"'],
    ['in the address of a link', '[a](\n/photon "fix it"\n)'],
    ['in an attribute', 'x <a title="y\n/photon fix it\n">z</a>'],
    ['in an attribute of a block', '<p title="y\n/photon fix it\n">z</p>'],
    [
      'in a tag',
      'x <a\n/photon fix it\n>z</a>'.replace('/photon fix it', 'b="\n/photon fix it\n"'),
    ],
    ['in a block of HTML', '<div hidden>\n/photon fix it\n</div>'],
    ['in folded words', '<details><summary>x</summary>\n/photon fix it\n</details>'],
    ['in a declaration', '<!X\n/photon fix it\n>'],
    ['behind 100,000 characters', `${'x\n'.repeat(50_000)}/photon fix it`],
  ])('is not found %s', (_name, body) => {
    expect(findCommand(body)).toBeUndefined();
  });

  it('ends on comments that are hard to read, and finds the command behind those that close', () => {
    const hostile = ['<!-- ', '`', '> ', '<pre>', '/photon\n', '$a', '](x "', '<a b="', '\\'].map(
      part => part.repeat(20_000),
    );
    for (const body of hostile) findCommand(`${body}\n/photon fix it`);
    expect(findCommand(`${'> \n'.repeat(20_000)}\n/photon fix it`)).toBeDefined();
  });
});

describe('a word of the team', () => {
  const words = ['@photon-bot', '/fix'];
  it.each([
    ['@photon-bot please fix it', { verb: 'fix', text: 'please fix it' }],
    ['@Photon-Bot plan it', { verb: 'plan', text: 'it' }],
    ['@photon-bot, why?\nIt fails.', { verb: 'fix', text: 'why?\nIt fails.' }],
    ['@photon-bot', { verb: 'fix', text: '' }],
    ['/fix the tests', { verb: 'fix', text: 'the tests' }],
    ['/photon the tests', { verb: 'the', text: 'tests' }],
    ['/fix.sh fails on line 3', undefined],
    ['@photon-bot undo button is broken', { verb: 'fix', text: 'undo button is broken' }],
    ['@photon-bot stop using tabs', { verb: 'fix', text: 'stop using tabs' }],
    ['@photon-bot help me with it', { verb: 'fix', text: 'help me with it' }],
    ['@photon-bot stop', { verb: 'stop', text: '' }],
    ['@photon-bot undo #12', { verb: 'undo', text: '#12' }],
    ['@photon-bot plan the move', { verb: 'plan', text: 'the move' }],
    ['/photon stop now', { verb: 'stop', text: 'now' }],
    ['see @photon-bot', undefined],
    ['> @photon-bot fix it', undefined],
    ['@photon-bots fix it', undefined],
    ['@photon-bot/x fix it', undefined],
    ['@other fix it', undefined],
  ])('%j', (body, expected) => expect(findCommand(body, words)).toEqual(expected));

  it('is one that the settings accept', () => {
    expect(readTriggerWords('@photon, /fix\n!go')).toEqual(['@photon', '/fix', '!go']);
    expect(readTriggerWords('fix, @, /a b, @x.*')).toEqual([]);
  });
});

const command = '/photon';
const hides = (text: string) => isHiddenInline(text, text.indexOf(command));

it.each([
  `<a title="${command} fix">x</a>`,
  `[x](https://a.test "${command} fix")`,
  `[x](<${command}>)`,
  `[x]: https://a.test "${command} fix"`,
  `$$ ${command} fix $$`,
  `$a ${command} b$`,
  `\`${command} fix\``,
  `\`\` a \` ${command} \`\``,
])('%s hides it', text => expect(hides(text)).toBe(true));

it.each([
  `please ${command} fix`,
  `1 < 2 ${command} fix`,
  `\\<a title="${command} fix">`,
  `it costs $5 ${command} fix`,
  `\` open ${command} fix`,
  `\`code\` ${command} fix`,
  `<b>x</b> ${command} fix`,
])('%s shows it', text => expect(hides(text)).toBe(false));

it('behind more constructs than are looked at, it counts as hidden', () => {
  expect(hides(`${'< '.repeat(1_001)}${command}`)).toBe(true);
  expect(hides(`${'< '.repeat(900)}${command}`)).toBe(false);
});

it('a digest does not depend on the kind of line ends', () => {
  expect(textDigest('a\r\nb\rc')).toBe(textDigest('a\nb\nc'));
  expect(textDigest('a b')).not.toBe(textDigest('a\nb'));
});

it.each([
  [
    { path: 'a.js', line: 3, start_line: 1 },
    { path: 'a.js', startLine: 1, endLine: 3 },
  ],
  [
    { path: 'a.js', line: 3, start_line: undefined },
    { path: 'a.js', startLine: 3, endLine: 3 },
  ],
  [
    { path: 'a.js', line: undefined },
    { path: 'a.js', startLine: null, endLine: null },
  ],
  [{ path: undefined, line: 3 }, undefined],
  [{}, undefined],
])('the place of %j is %j', (comment, place) => expect(findLocation(comment)).toEqual(place));

it('a mark of Photon is told from other comments of HTML', () => {
  expect(ownMark.test('text\n<!-- photon:task=fix-1 -->')).toBe(true);
  expect(ownMark.test('<!-- other:task=fix-1 -->')).toBe(false);
});

it('takes the model in front of the text of a command that asks one', () => {
  expect(findCommand('/photon fix --model gpt-5 round up\nand test it')).toEqual({
    verb: 'fix',
    text: 'round up\nand test it',
    model: 'gpt-5',
  });
  expect(findCommand('/photon ask --model=x/y:free why?')).toMatchObject({
    text: 'why?',
    model: 'x/y:free',
  });
  expect(findCommand('/photon fix say --model')).toMatchObject({
    text: 'say --model',
    model: undefined,
  });
  expect(findCommand('/photon answer --model a')).toMatchObject({
    text: '--model a',
    model: undefined,
  });
});

it.each([
  ['/photon fix --model', '', ''],
  ['/photon fix --model=\n', '', ''],
  ['/photon fix --model  gpt-5  round', 'gpt-5', 'round'],
  ['/photon fix --model\tgpt-5\nround', 'gpt-5', 'round'],
  ['/photon fix \u2014model gpt-5 round', 'gpt-5', 'round'],
  ['/photon fix --Model gpt-5', 'gpt-5', ''],
  ['/photon fix --model `gpt-5` x', '`gpt-5`', 'x'],
  ['/photon fix --models are wrong', undefined, '--models are wrong'],
  ['/photon fix --model-view is wrong', undefined, '--model-view is wrong'],
  ['/fix --model gpt-5 round', 'gpt-5', 'round'],
])('reads the model of %j', (body, model, text) => {
  expect(findCommand(body, ['/fix'])).toEqual({ verb: 'fix', model, text });
});
