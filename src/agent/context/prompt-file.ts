/** Reads the JSON files that hold texts for a model, and fills the places in their templates. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { describeIssue } from '../../base/schema-issue.ts';

/** A file with its text, from the trusted ref or from Photon. */
export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

const place = /\{\{(\w+)\}\}/g;

/** The schema of each template: a text that names no other places than its own, and all of them if it is `whole`. */
export function buildTemplateSchemas<N extends string>(
  fields: Readonly<Record<N, readonly string[]>>,
  whole: ReadonlySet<string> = new Set(),
): Record<N, z.ZodString> {
  const entries = Object.entries<readonly string[]>(fields).map(([name, own]) => [
    name,
    z
      .string()
      .max(20_000)
      .refine(text => [...text.matchAll(place)].every(m => own.includes(m[1] ?? '')), {
        message: `may name ${own.map(f => `{{${f}}}`).join(', ') || 'no place'} only`,
      })
      .refine(text => !whole.has(name) || own.every(f => text.includes(`{{${f}}}`)), {
        message: `must name ${own.map(f => `{{${f}}}`).join(', ')}`,
      })
      .describe(own.map(f => `{{${f}}}`).join(' ')),
  ]);
  return Object.fromEntries(entries) as Record<N, z.ZodString>;
}

/** Fills the places of a template. Values are inserted as they are and never expanded again. */
export function fillPlaces(
  template: string,
  values: Readonly<Record<string, string | number>>,
): string {
  return template.replace(place, (_all, field: string) => String(values[field] ?? ''));
}

/**
 * Reads a file by its schema.
 * @throws PhotonError `PROMPT_INVALID` with file and JSON pointer (RFC 6901) of each mistake.
 */
export function parsePromptFile<S extends z.ZodType>(
  schema: () => S,
  { path, text }: PromptFile,
): z.infer<S> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new PhotonError('PROMPT_INVALID', `${path}: not JSON: ${(error as Error).message}`);
  }
  const parsed = schema().safeParse(data);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(k => `${pointer([...issue.path, k])}: there is no such key`)
      : [`${pointer(issue.path)}: ${describeIssue(issue)}`],
  );
  throw new PhotonError('PROMPT_INVALID', problems.map(p => `${path}: ${p}`).join('\n'));
}

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map(k => `/${String(k).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
