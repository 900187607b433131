/** The results of the last calls in a request to the model, in any profile. */
import type { Body } from './model.ts';

/** Texts of the results of the last round, in order. */
export function answersOf({ messages }: Body): readonly string[] {
  const last = messages.findLastIndex(m => m.role === 'assistant');
  if (last >= 0) return messages.slice(last + 1).flatMap(m => fenced(String(m.content)));
  const text = String(messages.at(-1)?.content);
  const from = text.lastIndexOf('# Results of the last round');
  return from < 0 ? [] : fenced(text.slice(text.indexOf('\n', from) + 1));
}

/** The data between its marks; the text itself when there are none. */
function fenced(text: string): string[] {
  const found = [...text.matchAll(/<<(data-[0-9a-f]+)\n([\s\S]*?)\n\1>>/g)].map(m => m[2] ?? '');
  return found.length > 0 ? found : [text];
}
