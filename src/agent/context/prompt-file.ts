/** Reads the JSON files that hold texts for a model, and fills the places in their templates. */
import type * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';
import { asObject, describeIssue, readJson } from '../../base/schema-issue.ts';

/** A file with its text, from the trusted ref or from Photon. */
export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

/** Most characters of a template. */
const maxTemplate = 20_000;

const place = /\{\{(\w+)\}\}/g;

type Fields<N extends string> = Readonly<Record<N, readonly string[]>>;

function namesOnly(text: string, own: readonly string[]): boolean {
  return [...text.matchAll(place)].every(m => own.includes(m[1] ?? ''));
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
  file: PromptFile,
): z.infer<S> {
  const parsed = schema().safeParse(readData(file));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(issue =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map(k => `${pointer([...issue.path, k])}: ${noSuchKey}`)
      : [`${pointer(issue.path)}: ${describeIssue(issue)}`],
  );
  throw invalid(file, problems);
}

/**
 * Reads a file that Photon ships, of exactly these templates. A schema with a hundred texts would take 15 ms of each run.
 * @throws PhotonError `PROMPT_INVALID` as for a file with a schema.
 */
export function parseTemplates<N extends string>(
  fields: Fields<N>,
  file: PromptFile,
): Readonly<Record<N, string>> {
  const texts = asObject(readData(file));
  const added = Object.keys(texts).filter(name => !Object.hasOwn(fields, name));
  const wrong = Object.entries<readonly string[]>(fields).flatMap(([name, own]) => {
    const text = texts[name];
    if (typeof text !== 'string') return [`${pointer([name])}: must be a text`];
    if (text.length > maxTemplate)
      return [`${pointer([name])}: must have at most ${maxTemplate} characters`];
    const places = own.map(f => `{{${f}}}`).join(', ') || 'no place';
    return namesOnly(text, own) ? [] : [`${pointer([name])}: may name ${places} only`];
  });
  if (added.length + wrong.length === 0) return texts as Readonly<Record<N, string>>;
  throw invalid(file, [...added.map(name => `${pointer([name])}: ${noSuchKey}`), ...wrong]);
}

const readData = ({ path, text }: PromptFile) =>
  readJson(text, why => new PhotonError('PROMPT_INVALID', `${path}: not JSON: ${why}`));

const noSuchKey = 'there is no such key';

function invalid({ path }: PromptFile, problems: readonly string[]): PhotonError {
  return new PhotonError('PROMPT_INVALID', problems.map(p => `${path}: ${p}`).join('\n'));
}

/** RFC 6901. */
function pointer(path: readonly PropertyKey[]): string {
  return path.map(k => `/${String(k).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
