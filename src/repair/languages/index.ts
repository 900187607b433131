/** Finds the language adapter of a file by its extension. */
import type { LanguageAdapter } from './language.ts';
import { python } from './python.ts';
import { script } from './script.ts';

/** The language adapter for a path; undefined for a language without candidates. */
export function findLanguageAdapter(path: string): LanguageAdapter | undefined {
  if (/\.(js|mjs|cjs|jsx|ts|mts|cts|tsx)$/.test(path)) return script;
  return /\.py$/.test(path) ? python : undefined;
}
