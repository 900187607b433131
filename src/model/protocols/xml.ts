/** The XML protocol: the prompt describes the tools as a grammar, and replies call them with instruction tags. */
import { joinUsers, type Message, type ToolDefinition, type Turn } from '../turn.ts';
import type { DecodeResult, Protocol } from './protocol.ts';
import { buildGrammar, type Child, type Form, type Grammar, renderGrammar } from './xml-grammar.ts';
import { readXml } from './xml-reader.ts';

/** Opens the protocol over the tools of a run. */
export function openXmlProtocol(tools: readonly ToolDefinition[]): Protocol {
  const isFixed = !tools.some(t => t.isLate === true);
  const fixed = buildGrammar(tools);
  const grammarNow = () => (isFixed ? fixed : buildGrammar(tools));
  return {
    grammar: names => renderGrammar(new Map([...grammarNow()].filter(([name]) => names.has(name)))),
    tools: [],
    render: messages => {
      const grammar = grammarNow();
      return joinUsers(messages.map(message => asText(message, grammar)));
    },
    decode: turn => decodeReply(turn, grammarNow()),
  };
}

/** Decodes a reply to the calls that a native reply would make. One problem refuses the whole reply. */
export function decodeReply(turn: Turn, grammar: Grammar): DecodeResult {
  const { prose, instructions, problems } = readXml(turn.text, grammar);
  if (problems.length > 0) return { problems, reply: turn.text };
  const calls = instructions.map(({ name, args }, i) => ({
    id: `call_${i + 1}`,
    name,
    argumentsText: JSON.stringify(args),
  }));
  return { turn: { ...turn, text: prose, calls } };
}

/** A message as plain text: calls become the tags that they came from. */
function asText(message: Message, grammar: Grammar): Message {
  if (message.role === 'tool') return { role: 'user', text: message.text };
  if (message.role !== 'assistant') return message;
  const calls = message.calls.map(c => ({ name: c.name, args: JSON.parse(c.argumentsText) }));
  const text = [message.text, encodeCalls(calls, grammar)].filter(t => t !== '').join('\n');
  return { role: 'assistant', text, calls: [] };
}

/** Calls as tags, one after the other. A value that no tag can hold, such as `null`, is left out. */
export function encodeCalls(
  calls: readonly { readonly name: string; readonly args: unknown }[],
  grammar: Grammar,
): string {
  return calls
    .map(({ name, args }) => encodeElement(name, args, grammar.get(name)?.form))
    .join('\n');
}

function encodeElement(name: string, value: unknown, form: Form | undefined): string {
  const json = form?.kind === 'leaf' && form.type === 'json';
  if (json) return `<${name}>${encodeText(JSON.stringify(value))}</${name}>`;
  if (typeof value === 'string') return `<${name}>${encodeText(value)}</${name}>`;
  if (typeof value === 'object' && value !== null)
    return `<${name}>${encodeChildren(value, form)}</${name}>`;
  return `<${name}>${String(value)}</${name}>`;
}

function encodeChildren(args: object, form: Form | undefined): string {
  const known: ReadonlyMap<string, Child> = form?.kind === 'children' ? form.children : new Map();
  return Object.entries(args)
    .flatMap(([name, value]) => {
      const child = known.get(name);
      const values = Array.isArray(value) && child?.list !== false ? value : [value];
      return values
        .filter(v => v !== null && v !== undefined)
        .map(v => encodeElement(name, v, child?.form));
    })
    .join('');
}

/** Text as it is if it holds no markup; otherwise in CDATA that begins with a line break. */
function encodeText(text: string): string {
  if (!/[<&\r]|\]\]>|^\n/.test(text)) return text;
  const sections = text
    .split('\r')
    .map(part => `<![CDATA[${part.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`)
    .join('&#13;');
  return sections.replace('<![CDATA[', '<![CDATA[\n');
}
