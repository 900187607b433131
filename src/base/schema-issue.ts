/** Reads what others wrote before a schema judges it, and says in words what the schema finds wrong. */
import type * as z from 'zod';
import { type Code, PhotonError } from './codes.ts';
import { attempt } from './system-errors.ts';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Beginnings of the library's own messages; every other message is one of Photon. */
const ownWords = /^(?:Invalid (?:input|option|string)|Unrecognized key|Too (?:small|big))/;

/** What a finding means, as the rest of a sentence about the place that it names. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  if (!ownWords.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? `is missing; it must be ${kinds[issue.expected] ?? issue.expected}`
        : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'unrecognized_keys':
      return `there is no key ${issue.keys.map(key => JSON.stringify(key)).join(', ')} here`;
    case 'invalid_value':
      return `must be ${issue.values.map(value => JSON.stringify(value)).join(' or ')}`;
    case 'too_small':
      return `must ${chooseVerb(issue.origin)} at least ${issue.minimum}${getUnit(issue.origin)}`;
    case 'too_big':
      return `must ${chooseVerb(issue.origin)} at most ${issue.maximum}${getUnit(issue.origin)}`;
    case 'invalid_union':
      return (
        [...new Set(issue.errors.flat().map(describeIssue))].slice(0, 4).join(', or ') ||
        'has none of the forms that it can have'
      );
    case 'invalid_format':
      return issue.pattern === undefined
        ? `must be in the form ${issue.format}`
        : `must match ${issue.pattern}`;
    default:
      return 'has none of the forms that it can have';
  }
}

const counted: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  map: ' entries',
};

const chooseVerb = (origin: string) => (origin in counted ? 'have' : 'be');
const getUnit = (origin: string) => counted[origin] ?? '';

/** The data of a JSON text. @param fail makes the error for any other text, from what is wrong with it. */
export function readJson(text: string, fail: (why: string, cause: unknown) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw fail((cause as Error).message, cause);
  }
}

/** The data of a JSON text; undefined for any other text. */
export const tryJson = (text: string): { readonly value: unknown } | undefined =>
  attempt(() => ({ value: JSON.parse(text) }));

/** The data of a JSON text; null if it is no JSON, as for the text `null`. */
export const parseJson = (text: string): unknown => tryJson(text)?.value ?? null;

/**
 * The data of a JSON text that fits a schema.
 * @throws PhotonError with the code; the message has the name of the text, and the first thing that is wrong.
 */
export function parseAs<T>(
  schema: z.ZodType<T>,
  text: string,
  { code, name }: { readonly code: Code; readonly name: string },
): T {
  const json = tryJson(text);
  if (json === undefined) throw new PhotonError(code, `${name}: it is not valid JSON.`);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.map(String).join('/');
  throw new PhotonError(code, `${name}: /${place}: ${issue?.message}.`);
}

/** True for an object that is no array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for data of at most so many levels: what reads it further does so by recursion. */
export function isShallow(value: unknown, levels = 40): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every(part => isShallow(part, levels - 1));
}

/** The object of a JSON text; undefined for any other text. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** The value if it is an object, and an empty object for anything else. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  isObject(value) ? value : {};
