/** Renders the problems that the XML reader finds, and the grammar of the tools, as `docs/xml-protocol.md`. */
import { codes } from '../../src/base/codes.ts';
import { parserVersions } from '../../src/model/protocols/protocol.ts';
import { encodeCalls } from '../../src/model/protocols/xml.ts';
import { buildGrammar, renderGrammar } from '../../src/model/protocols/xml-grammar.ts';
import {
  malformed,
  unfit,
  type XmlCode,
  xmlBounds,
} from '../../src/model/protocols/xml-problems.ts';
import { tools } from '../../src/tools/index.ts';
import { escaped } from './markup.ts';

const grammar = buildGrammar(tools.map(t => t.definition));

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
  const families = [
    ['LIBRARIAN_PROTOCOL_INVALID', Object.keys(malformed) as XmlCode[]],
    ['LIBRARIAN_PARSE_FAILED', unfit],
  ] as const;
  const all = families.flatMap(([family, list]) => list.map(code => ({ family, code })));
  const rows = all.map(({ family, code }) => {
    const { meaning, hint } = codes[code];
    return `| [\`${code}\`](codes.md#${code.toLowerCase()}) | ${family === code ? '' : `\`${family}\``} | ${escaped(meaning)} | ${escaped(hint)} |`;
  });
  return [
    '# The XML protocol',
    '',
    `This page describes how a model without tool calls replies to Photon: with instruction tags in plain text. It is generated from \`src/model/protocols/xml-problems.ts\` and the schemas in \`src/tools/\`. The version is \`${parserVersions.xml}\`. A profile selects it with \`"protocol": "xml"\`.`,
    '',
    'All pages: [index](README.md). Related: [prompts](prompts.md), [tools](tools.md), [codes](codes.md), [guard](guard.md).',
    '',
    'The endpoint learns of no tools. A request is plain messages, and the prompt holds the grammar below. A reply is prose with instructions in between. The prose is the reasoning (`[Think]` in the log); Photon refuses a round without it, as under every protocol. Instructions become the same calls as native tool calls and pass the same guard, in their order.',
    '',
    '```xml',
    'The function is read, one line of it is wrong. I note where I stand and patch it.',
    example,
    '```',
    '',
    '## Form',
    '',
    '- Each tool is one tag, in lower case, without attributes. Its children are the arguments; a list is a repeated child. `<verify/>` is the same as `<verify></verify>`.',
    '- In the prose, a known tag begins an instruction anywhere. Any other tag is refused with `XML_UNKNOWN_TAG` at the start of a line, and elsewhere if it is written as an instruction: a lower-case name that is closed and follows no letter or digit (`then <rm>a</rm>`). What is left is prose (`Array<string>`, `a <div> b`). `In backticks`, every tag is prose, up to the closing backtick or the end of the line. Lines of a code fence around instructions are not prose.',
    '- A thought is prose: `<think>…</think>` or `<thinking>…</thinking>`, whatever tags are inside it, and what a lone `</think>` closes at the start of a reply, if no instruction comes before it. The marks themselves are dropped.',
    '- Text is taken unchanged, with two exceptions: one line break directly after the opening tag is dropped, and so are blanks before a closing tag on a line of its own. Put text that holds `<` or `&` into CDATA, or use `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` `&#number;`. Blanks beside CDATA are ignored. One line break directly after its start is dropped; everything else in it is kept. Write `]]>` inside as `]]]]><![CDATA[>`.',
    '- The schema decides where a number, `true` or `false` is expected. Other text there stays text, and the guard refuses the call with `ARGUMENTS_INVALID`, as it does for values out of range. To give `null`, leave the child out.',
    '- Line endings first become `\\n` (write a carriage return as `&#13;`). A byte order mark at the start is dropped. NUL, other control characters and half surrogates are refused everywhere.',
    '- Document types, custom entities, processing instructions, comments and prefixes are refused.',
    '',
    '## Bounds',
    '',
    `A reply has at most ${xmlBounds.chars.toLocaleString('en')} UTF-16 units, ${xmlBounds.instructions} instructions and ${xmlBounds.elements.toLocaleString('en')} elements, nested at most ${xmlBounds.depth} deep. Photon stops reading a longer stream.`,
    '',
    '## Replies that cannot be read',
    '',
    `Photon runs nothing of such a reply. Each problem has a code and a place, \`line:column\`, both from 1, columns in UTF-16 units; Photon reports up to ${xmlBounds.problems} at once, and the first that breaks the form ends the reading. The model then sees only the problems and its reply, and must send the whole reply again: at most twice (\`limits.parse_repairs\`), each a round of the budget. After that, the run fails with the code of the first problem. Photon keeps the text of refused replies beside the ledger, in \`rejected.jsonl\`, without secrets, up to 10 MB. The ledger holds code, place and digest.`,
    '',
    '| code | under | what it means | what to do |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## Grammar',
    '',
    'This is the grammar that the model sees: `?` is optional, `*` can be repeated, `+` occurs at least once; then comes the type of the text. The agent of a profile sees only the tools that it can use. A value that a schema can express and a tag cannot (lists of lists, objects of any keys) is a child with JSON text, type `json`; no tool of Photon needs it.',
    '',
    '```text',
    renderGrammar(grammar),
    '```',
    '',
  ].join('\n');
}
