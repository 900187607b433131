/** The seal of an outcome: a digest of each of its fields, which the last entry of the ledger holds. Pure. */
import { hashJson } from '../memory/record.ts';

/** sha256 of each field by its name; `verification.warnings` is a field of an object. */
export type OutcomeSeal = Readonly<Record<string, string>>;

/** Fields that the seal leaves out: `ledger` names the sealed entry itself, and the seal covers notes by their own rule. */
const leftOut: ReadonlySet<string> = new Set(['ledger', 'notes']);

/** The seal of an outcome as its file holds it: texts without secrets, and no field that JSON does not keep. */
export function sealOutcome(written: object): OutcomeSeal {
  const seal: Record<string, string> = {};
  for (const [name, value] of Object.entries(written)) {
    if (leftOut.has(name) || value === undefined) continue;
    for (const [part, content] of splitField(name, value)) seal[part] = hashJson(content);
  }
  return seal;
}

/** Names of the fields that differ between two seals, in order. */
export function differingFields(one: OutcomeSeal, other: OutcomeSeal): readonly string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter(name => one[name] !== other[name]).sort();
}

/** A field, or the fields of the object in it. */
function splitField(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]];
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  // an empty object is a field, too
  return parts.length === 0 ? [[name, {}]] : parts.map(([part, it]) => [`${name}.${part}`, it]);
}
