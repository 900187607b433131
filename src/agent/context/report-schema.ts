/** The JSON Schema of a workflow for the object that a run gives, read from the trusted branch. */
import * as z from 'zod';
import { PhotonError } from '../../base/codes.ts';

/** Maximum bytes of the file. */
const maxBytes = 32_000;
const maxProblems = 10;

export interface ReportSchema {
  /** The schema as the model gets it, in one line. */
  readonly text: string;
  /** What is wrong with a value; empty if nothing is. */
  findProblems(value: unknown): readonly string[];
}

/**
 * Reads the schema of an object.
 * @throws PhotonError `REVIEW_SCHEMA` if the file is missing, too large, no JSON, or beyond what Photon can check.
 */
export function parseReportSchema(text: string | undefined, path: string): ReportSchema {
  const fail = (why: string, cause?: unknown) =>
    new PhotonError('REVIEW_SCHEMA', `${path}: ${why}`, { cause });
  if (text === undefined) throw fail('there is no such file on the trusted branch.');
  if (Buffer.byteLength(text) > maxBytes) throw fail(`it is larger than ${maxBytes} bytes.`);
  let value: unknown;
  let schema: z.ZodType;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw fail(`it is no JSON: ${(error as Error).message}`, error);
  }
  if ((value as { type?: unknown } | null)?.type !== 'object')
    throw fail('its root must have "type": "object".');
  try {
    schema = z.fromJSONSchema(value as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw fail(`Photon cannot check it: ${(error as Error).message}`, error);
  }
  return {
    text: JSON.stringify(value),
    findProblems: report => {
      const parsed = schema.safeParse(report);
      const issues = parsed.success ? [] : parsed.error.issues;
      return issues
        .slice(0, maxProblems)
        .map(({ path: at, message }) => `/report/${at.map(String).join('/')}: ${message}`);
    },
  };
}
