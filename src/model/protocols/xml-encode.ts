/** Encodes calls as instruction tags: the reverse of the reader, for calls that the model sees again. Pure. */
import type { Child, Form, Grammar } from './xml-grammar.ts';

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
export function encodeText(text: string): string {
  if (!/[<&\r]|\]\]>|^\n/.test(text)) return text;
  const sections = text
    .split('\r')
    .map(part => `<![CDATA[${part.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`)
    .join('&#13;');
  return sections.replace('<![CDATA[', '<![CDATA[\n');
}
