/** Digests of texts, bytes and data. Pure. */
import { createHash } from 'node:crypto';

/** sha256 in hex. */
export function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** JSON text that depends on the data only, not on the order of its keys. */
export function canonicalJson(value: unknown): string {
  return `${JSON.stringify(sortKeys(value), null, 2)}\n`;
}

/** sha256 of the canonical JSON, in hex. */
export function hashJson(value: unknown): string {
  return digest(canonicalJson(value));
}

/** The value with the keys of its objects in order, and without those that are undefined. */
export function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sortKeys(v)]),
  );
}
