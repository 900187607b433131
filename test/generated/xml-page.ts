/** Renders the problems that the XML reader finds, and the grammar of the tools, as `docs/dev/xml-protocol.md`. */
import { parserVersions } from '../../src/model/protocols/protocol.ts';
import { encodeCalls } from '../../src/model/protocols/xml.ts';
import { buildGrammar, renderGrammar } from '../../src/model/protocols/xml-grammar.ts';
import { malformed, unfit, xmlBounds } from '../../src/model/protocols/xml-problems.ts';
import { tools } from '../../src/tools/index.ts';

const grammar = buildGrammar(tools.map(t => t.definition));

/** The tools of the example, whose grammar the page shows. */
const exampleTools = ['read_code_block', 'apply_patch', 'ram_add'];

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

const listCodes = (codes: readonly string[]) => codes.map(code => `\`${code}\``).join(', ');

/** docs/dev/xml-protocol.md */
export function renderXmlPage(): string {
  const [malformedFamily = '', ...malformedCodes] = Object.keys(malformed);
  const [unfitFamily = '', ...unfitCodes] = unfit;
  return [
    '# The XML protocol',
    '',
    `This page describes how a model without tool calls replies to Photon: with instruction tags in plain text. It is generated from \`src/model/protocols/\` and the schemas in \`src/tools/\`. The version is \`${parserVersions.xml}\`. A [profile](../prompts.md) selects it with \`"protocol": "xml"\`.`,
    '',
    'All pages: [index](../README.md). Related: [prompts](../prompts.md), [tools](../tools.md), [codes](../codes.md).',
    '',
    'A request is plain messages, and the prompt holds the [grammar](#grammar). A reply is prose with instructions in between. The prose is the reasoning. Instructions become the same calls as native tool calls and pass the same guard, in their order.',
    '',
    '```xml',
    'The function is read, one line of it is wrong. I note where I stand and patch it.',
    example,
    '```',
    '',
    '## Form',
    '',
    '- Each tool is one tag, in lower case, without attributes. Its children are the arguments; a list is a repeated child. `<verify/>` is the same as `<verify></verify>`.',
    '- In prose, a known tag begins an instruction anywhere. Any other tag is refused with `XML_UNKNOWN_TAG` at the start of a line, and elsewhere if it is closed and follows no letter or digit (`then <rm>a</rm>`). What is left is prose (`Array<string>`, `a <div> b`), and so is every tag in backticks. Lines of a code fence around instructions are not prose.',
    '- A thought is prose: `<think>…</think>`, `<thinking>…</thinking>`, and what a lone `</think>` closes at the start of a reply, if no instruction comes before it.',
    '- Text is taken unchanged, except for one line break directly after the opening tag, and blanks before a closing tag on a line of its own. Put text that holds `<` or `&` into CDATA, or use `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` `&#number;`. Write `]]>` inside CDATA as `]]]]><![CDATA[>`.',
    '- The schema decides where a number, `true` or `false` is expected. Other text there stays text, and the guard refuses the call with `ARGUMENTS_INVALID`. To give `null`, leave the child out.',
    '- Line endings become `\\n` (write a carriage return as `&#13;`). Control characters and half surrogates are refused, and so are document types, custom entities, processing instructions, comments and prefixes.',
    '',
    '## Bounds',
    '',
    `A reply has at most ${xmlBounds.chars.toLocaleString('en')} UTF-16 units, ${xmlBounds.instructions} instructions and ${xmlBounds.elements.toLocaleString('en')} elements, nested at most ${xmlBounds.depth} deep. Photon stops reading a longer stream.`,
    '',
    '## Replies that cannot be read',
    '',
    `Photon runs nothing of such a reply. It reports up to ${xmlBounds.problems} problems, each with a [code](../codes.md#replies-in-instruction-tags) and \`line:column\`. The model sees the problems and its reply, and must send the whole reply again: at most twice (\`limits.parse_repairs\`), each a round of the budget. After that, the run fails with the code of the first problem. Photon keeps refused replies beside the ledger, in \`rejected.jsonl\`, without secrets, up to 10 MB.`,
    '',
    `- \`${malformedFamily}\`, the form is broken: ${listCodes(malformedCodes)}.`,
    `- \`${unfitFamily}\`, the form is right and the content does not fit: ${listCodes(unfitCodes)}.`,
    '',
    '## Grammar',
    '',
    'The prompt holds the grammar of every [tool](../tools.md) in this form: `?` is optional, `*` can be repeated, `+` occurs at least once; then comes the type of the text. Type `json` is JSON text, for a value that a tag cannot express.',
    '',
    '```text',
    renderGrammar(new Map([...grammar].filter(([name]) => exampleTools.includes(name)))),
    '```',
    '',
  ].join('\n');
}
