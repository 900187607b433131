/** What files of every CI are read with: their data, the values of expressions, and the simple commands of scripts. Pure; the files are untrusted. */
import { posix } from 'node:path';
import { parseDocument } from 'yaml';
import { asObject } from '../../base/schema-issue.ts';
import { attempt } from '../../base/system-errors.ts';
import { normalisePath } from '../../guard/paths.ts';
import type { ProjectFiles } from '../shared/project-files.ts';
import type { Witness } from '../shared/tool-row.ts';

/** A simple command, without `&&` and `;`. */
export interface CiLine {
  readonly line: string;
  /** Relative to the checkout; empty for the checkout itself. */
  readonly folder: string;
  /** True if the step gets a secret. */
  readonly secret: boolean;
}

export interface CiJob extends Omit<Witness, 'line'> {
  readonly lines: readonly CiLine[];
}

export type Data = Readonly<Record<string, unknown>>;
/** The values of expressions such as `matrix.os`, by their name. */
export type Scope = Readonly<Record<string, string>>;

const maxChars = 200_000;
const maxAliasCount = 100;
export const maxJobs = 100;

export const listItems = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value.flat(4) : value === undefined || value === null ? [] : [value];
export const texts = (value: unknown) =>
  listItems(value).flatMap(item => (typeof item === 'string' ? [item] : []));
export const isScalar = (value: unknown) => /^(?:string|number|boolean)$/.test(typeof value);

export async function readData(files: ProjectFiles, path: string): Promise<Data> {
  const text = (await files.read(path)) ?? '';
  if (text === '' || text.length > maxChars) return {};
  const data = attempt(() => {
    const document = parseDocument(text, { uniqueKeys: false, merge: true, logLevel: 'silent' });
    return document.errors.length > 0 ? {} : asObject(document.toJS({ maxAliasCount }));
  });
  return data ?? {};
}

/** The systems whose jobs are not read. */
const foreign = /windows|macos/i;
export const isForeign = (text: string) => foreign.test(text);

/** Replaces the expressions whose values are known. */
export function expand(text: string, scope: Scope): string {
  return text.replace(/\$\{\{ *([\w.-]+) *\}\}/g, (whole, name: string) => scope[name] ?? whole);
}

/** The scalars of an object as a scope, and those of objects in it. */
export function scopeFrom(prefix: string, data: Data): Scope {
  return Object.fromEntries(
    Object.entries(data).flatMap(([key, value]) =>
      isScalar(value)
        ? [[`${prefix}${key}`, String(value)]]
        : Object.entries(asObject(value)).map(([k, v]) => [`${prefix}${key}.${k}`, String(v)]),
    ),
  );
}

/** What surrounds a script. */
export interface Script {
  readonly folder: string;
  readonly scope: Scope;
  readonly secret: boolean;
}

const opens = /^(?:if|for|while|until|case)\b/;
const closes = /^(?:fi|done|esac)\b/;

/** The simple commands of a script. What conditions and loops hold is left out, and so is what depends on unknown values. */
export function simpleLines(text: string, { folder, scope, secret }: Script): readonly CiLine[] {
  if (/<<-?\s*['"]?\w+['"]?\s*$/m.test(text)) return [];
  const found: CiLine[] = [];
  let at: string | undefined = folder;
  let depth = 0;
  for (const raw of expand(text, scope)
    .replace(/\\\n[ \t]*/g, ' ')
    .split('\n')) {
    const line = raw.trim();
    if (opens.test(line)) depth += 1;
    if (closes.test(line) || (opens.test(line) && /\b(?:fi|done|esac)$/.test(line))) depth -= 1;
    if (depth > 0 || /^(?:#|$|fi\b|done\b|esac\b)/.test(line) || opens.test(line)) continue;
    for (const part of line.replace(/ #.*$/, '').split(/&&|;/)) {
      const command = part.trim();
      const into: string | undefined = /^(?:cd|pushd) +["']?([^"'\s]+)["']?$/.exec(command)?.[1];
      if (into !== undefined) {
        const path: string = posix
          .join('/', at ?? '', into)
          .slice(1)
          .replace(/\/$/, '');
        at = /[$~]/.test(into) ? undefined : (normalisePath(path) ?? '');
      } else if (at !== undefined && command !== '' && !/\$\{\{|\$\(|`/.test(command))
        if (!/^(?:set|echo|export|popd|exit|true|:|printf|source|\.)(?: |$)/.test(command))
          found.push({ line: command, folder: at, secret });
    }
  }
  return found;
}
