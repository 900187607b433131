/** Scripted calls as instruction tags, written by hand rules of its own: not the engine's encoder. */
import type { ScriptedCall } from './model.ts';

/** Calls as a model would write them: code in CDATA, everything else plain. */
export function xmlText(text: string, calls: readonly ScriptedCall[]): string {
  const tags = calls.map(({ name, arguments: args }) => element(name, decoded(args)));
  return [text, ...tags].filter(t => t !== '').join('\n');
}

function decoded(args: object | string): unknown {
  if (typeof args !== 'string') return args;
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function element(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return `<${name}>${content(String(value))}</${name}>`;
  const children = Object.entries(value).flatMap(([child, one]) =>
    (Array.isArray(one) ? one : [one]).map(v => element(child, v)),
  );
  return `<${name}>\n${children.join('\n')}\n</${name}>`;
}

function content(text: string): string {
  if (!/[<&]|^\s|\s$/.test(text)) return text;
  return `<![CDATA[\n${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}
