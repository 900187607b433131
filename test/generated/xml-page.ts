/** The table that drives the XML reader, and the grammar of the tools ► `docs/xml-protocol.md`. */
import { codes } from '../../src/codes.ts';
import { parserVersions } from '../../src/model/protocol.ts';
import { encodeCalls } from '../../src/model/xml-encode.ts';
import { grammarOf, renderGrammar } from '../../src/model/xml-grammar.ts';
import { problemTable, xmlBounds } from '../../src/model/xml-problems.ts';
import { tools } from '../../src/tools/index.ts';
import { escaped } from './markup.ts';

const grammar = grammarOf(tools.map(t => t.definition));

const example = encodeCalls(
  [
    { name: 'ram_add', args: { key: 'steps', value: '1 read orderTotal' } },
    {
      name: 'read_code_block',
      args: { requests: [{ file_path: 'src/a.js', start_line: 3, end_line: 9 }] },
    },
    {
      name: 'apply_patch',
      args: {
        files: [
          { path: 'src/a.js', edits: [{ start_line: 4, content: '  return a < b && c;\n' }] },
        ],
      },
    },
  ],
  grammar,
);

/** docs/xml-protocol.md */
export function renderXmlPage(): string {
  const rows = Object.entries(problemTable).map(([code, { family }]) => {
    const { meaning, hint } = codes[code as keyof typeof problemTable];
    return `| [\`${code}\`](codes.md#${code.toLowerCase()}) | ${family === code ? '' : `\`${family}\``} | ${escaped(meaning)} | ${escaped(hint)} |`;
  });
  return [
    '# The XML protocol',
    '',
    `Generated from \`src/model/xml-problems.ts\` and the schemas in \`src/tools/\`. Version \`${parserVersions.xml}\`; a profile asks for it with \`"protocol": "xml"\` ([prompts.md](prompts.md)).`,
    '',
    'The endpoint is told of no tools: a request is plain messages, and the prompt holds the grammar below. A reply is prose with instructions between. The prose is the reasoning line (`[Think]` in the log; a round without it is refused, as everywhere). Instructions become the same calls as native tool calls and pass the same guard, in the order in which they stand.',
    '',
    '```xml',
    'The function is read, one line of it is wrong. I note where I stand and patch it.',
    example,
    '```',
    '',
    '## Form',
    '',
    '- One tag a tool, in lower case, without attributes; its children are the arguments, a list is a repeated child. `<verify/>` is `<verify></verify>`.',
    '- In the prose, a known tag begins an instruction wherever it stands. Any other tag is refused at the start of a line and is prose elsewhere (`Array<string>`); `in backticks`, every tag is prose, to the closing backtick or the end of the line. Lines of a code fence around instructions are no prose.',
    '- Text is taken as it stands. One line break right behind the opening tag is dropped; so are blanks before a closing tag on a line of its own. Text that holds `<` or `&` goes into CDATA, or uses `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` `&#number;`. Beside CDATA, blanks say nothing; one line break right behind its start is dropped, everything else in it stands. `]]>` inside is `]]]]><![CDATA[>`.',
    '- Numbers, `true` and `false` are read by the schema. Text that is none stays text, and the guard refuses the call with `ARGUMENTS_INVALID`, as it does for values out of range. `null` is a child left out.',
    '- Line endings become `\\n` first (a carriage return is `&#13;`); a byte order mark at the start is dropped. NUL, other control characters and half surrogates are refused everywhere.',
    '- Document types, entities of one’s own, processing instructions, comments and prefixes are refused.',
    '',
    '## Bounds',
    '',
    `A reply has at most ${xmlBounds.chars.toLocaleString('en')} UTF-16 units, ${xmlBounds.instructions} instructions and ${xmlBounds.elements.toLocaleString('en')} elements, nested at most ${xmlBounds.depth} deep. A longer stream is not read on.`,
    '',
    '## What cannot be read',
    '',
    `Nothing of such a reply runs. Each problem has a code and a place, \`line:column\`, both from 1, columns in UTF-16 units; up to ${xmlBounds.problems} are told at once, and the first that breaks the form ends the reading. The model is then shown the problems and its reply, nothing else, and asked for the whole reply again: at most twice (\`limits.parse_repairs\`), each a round of the budget. Then the run fails with the code of the first problem. The text of refused replies is kept beside the ledger, in \`rejected.jsonl\`, secrets taken out, up to 10 MB; the ledger holds code, place and digest.`,
    '',
    '| code | under | what it means | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Grammar',
    '',
    'As the model is told it: `?` may be left out, `*` may be repeated, `+` stands at least once; then the type of the text. A profile’s agent sees only the tools that it may use. What a schema can say and a tag cannot (lists of lists, objects of any keys) is a child with JSON text, type `json`; no tool of Photon needs it.',
    '',
    '```text',
    renderGrammar(grammar),
    '```',
    '',
  ].join('\n');
}
