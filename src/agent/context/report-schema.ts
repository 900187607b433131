/** The JSON Schema of a workflow for the object that a run gives, read from the trusted branch. */
import { PhotonError } from '../../base/codes.ts';
import { readJson } from '../../base/schema-issue.ts';
import { judgeBySchema, SchemaTimeout } from '../../process/judge-schema.ts';

/** Maximum bytes of the file. */
const maxBytes = 32_000;

export interface ReportSchema {
  /** The schema as the model gets it, in one line. */
  readonly text: string;
  /** What is wrong with a value, at most ten things; empty if nothing is. */
  findProblems(value: unknown): Promise<readonly string[]>;
}

/**
 * Reads the schema of an object.
 * @throws PhotonError `REVIEW_SCHEMA` if the file is missing, too large, no JSON, or beyond what Photon can check.
 */
export async function parseReportSchema(
  text: string | undefined,
  path: string,
): Promise<ReportSchema> {
  const fail = (why: string, cause?: unknown) =>
    new PhotonError('REVIEW_SCHEMA', `${path}: ${why}`, { cause });
  if (text === undefined) throw fail('there is no such file on the trusted branch.');
  if (Buffer.byteLength(text) > maxBytes) throw fail(`it is larger than ${maxBytes} bytes.`);
  const value = readJson(text, (why, cause) => fail(`it is no JSON: ${why}`, cause)) as
    | object
    | null;
  if (value === null || !('type' in value) || value.type !== 'object')
    throw fail('its root must have "type": "object".');
  const schema = value;
  const judge = async (...values: unknown[]) => judgeBySchema({ schema, values, isStrict: true });
  await judge().catch((error: Error) => {
    throw fail(`Photon cannot check it: ${error.message}`, error);
  });
  return {
    text: JSON.stringify(schema),
    findProblems: async report => {
      try {
        return (await judge(report)).map(({ at, message }) => `/report${at}: ${message}`);
      } catch (error) {
        if (error instanceof SchemaTimeout) return [`/report: it ${error.message}`];
        throw error;
      }
    },
  };
}
