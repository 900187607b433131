/** The languages that the templates know, by file extension. */
import type { LanguageAdapter } from './language-adapter.ts';
import { python } from './language-python.ts';
import { script } from './language-script.ts';

/** The language of a path by its extension; null when the engine makes no candidates for it. */
export function languageOf(path: string): LanguageAdapter | null {
  if (/\.(js|mjs|cjs|jsx|ts|mts|cts|tsx)$/.test(path)) return script;
  return /\.py$/.test(path) ? python : null;
}
