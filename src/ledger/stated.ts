/** What entries of a ledger hold of an outcome: its data, and digests of the texts in it. Pure. */
import { isObject } from '../base/schema-issue.ts';
import { redactTexts } from '../guard/secrets/secrets.ts';
import { hashJson } from './ledger.ts';

/** Fields with texts of the model, of a file or of a command. The ledger holds their sha256; of a list, that of each item. */
const texts: ReadonlySet<string> = new Set([
  'statement',
  'summary',
  'answer',
  'report',
  'choices',
  'places',
  'commandAnswer',
  'review',
  'repair',
  'plan',
  'records',
  'staged',
  'notes',
  'outputTail',
  'changedExpectations',
  'diff',
]);

/** Settings are held as they are: some have the names of such fields. */
const plainPart = 'settings';

/** A part of an outcome as the ledger holds it. `value` is as its file holds it, without secrets. */
export function withoutTexts<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutTexts) as T;
  if (!isObject(value)) return value;
  const digest = (text: unknown) => (Array.isArray(text) ? text.map(hashJson) : hashJson(text));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== undefined)
      .map(([name, part]) => {
        if (name === plainPart) return [name, part];
        return [name, texts.has(name) ? digest(part) : withoutTexts(part)];
      }),
  ) as T;
}

/** What a ledger says, with the texts of the outcome that it was made from. */
export function withTexts<T>(derived: unknown, written: T): T {
  if (Array.isArray(derived) && Array.isArray(written))
    return derived.map((part, i) => withTexts(part, written[i])) as T;
  if (!isObject(derived) || !isObject(written)) return derived as T;
  const order = new Set([...Object.keys(written), ...Object.keys(derived)]);
  return Object.fromEntries(
    [...order]
      .filter(name => derived[name] !== undefined)
      .map(name => {
        if (name === plainPart) return [name, derived[name]];
        return [name, texts.has(name) ? written[name] : withTexts(derived[name], written[name])];
      }),
  ) as T;
}

/** What an entry states of a part of an outcome; undefined if there is none. */
export function statePart<T>(
  name: string,
  part: T | undefined,
  scrub: (text: string) => string,
): Readonly<Record<string, unknown>> | undefined {
  return part === undefined ? undefined : withoutTexts(redactTexts({ [name]: part }, scrub));
}
