/** A body that a schema of GitHub's description admits: required fields filled, given ones laid over. */
import { readFileSync } from 'node:fs';
import { extractPath } from './extract.ts';

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const { components } = JSON.parse(readFileSync(extractPath, 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

/** Required fields of the named schema with plain values, then `over`. */
export function sample(name: string, over: Record<string, unknown>): Record<string, unknown> {
  const schema = components.schemas[name];
  if (schema === undefined) throw new Error(`no schema ${name}`);
  return { ...(fill(schema, 0) as Record<string, unknown>), ...over };
}

function fill(schema: Schema, depth: number): unknown {
  if (schema.$ref !== undefined)
    return fill(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, depth);
  if (schema.nullable === true) return null;
  const part = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (part?.[0] !== undefined && schema.properties === undefined) return fill(part[0], depth);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (depth > 8 ? [] : (schema.required ?? [])).map(key => [
          key,
          fill(schema.properties?.[key] ?? {}, depth + 1),
        ]),
      );
    case 'array':
      return [];
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'string':
      return stringOf(schema.format);
    default:
      return null;
  }
}

function stringOf(format: string | undefined): string {
  if (format === 'uri') return 'http://127.0.0.1/';
  if (format === 'date-time') return '2026-01-01T00:00:00Z';
  if (format === 'email') return 'person@example.com';
  return 'x';
}
