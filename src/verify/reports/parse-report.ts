/** Parses a test report in any of the known formats, or what a runner prints without one, which the code under test can forge. */
import { isObject, parseJson } from '../../base/schema-issue.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import type { Cases } from '../../ecosystems/shared/output.ts';
import {
  maxReportChars,
  type ReadReport,
  type TestCase,
  uniqueCases,
} from '../../ecosystems/shared/test-case.ts';
import { parseTap } from './parse-tap.ts';
import { parseXml } from './parse-xml.ts';
import { plainText, readSummaries } from './run-summary.ts';

/** The cases of a report; undefined if the text is in none of the formats. */
export async function parseReport(text: string): Promise<ReadReport> {
  const xml = await parseXml(text);
  if (xml !== undefined) return xml;
  for (const { readReport } of ecosystems) {
    const read = readReport?.(text);
    if (read !== undefined) return read;
  }
  return parseTap(text);
}

/** What a report that cannot be read is, such as `XML with the root <coverage>`; undefined if it is cut off or empty. */
export function describeForm(text: string): string | undefined {
  const root =
    /^\s*(?:<\?[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*|<!DOCTYPE[^>[]*>\s*)*<([\w:.-]{1,60})/.exec(
      text,
    )?.[1];
  if (root !== undefined && /<\/[\w:.-]+>\s*$|\/>\s*$/.test(text))
    return `XML with the root <${root}>`;
  const data = /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
  if (Array.isArray(data)) return 'a JSON list';
  if (isObject(data)) return `JSON with the fields ${Object.keys(data).slice(0, 5).join(', ')}`;
  const [line = ''] = text.trim().split('\n');
  return /^[<{[]/.test(line) || line === ''
    ? undefined
    : `text that begins with "${line.slice(0, 60)}"`;
}

/** The cases of a report, or of what a runner prints without one; undefined if the text names not each case. */
export async function readCases(text: string): Promise<readonly TestCase[] | undefined> {
  const read = await parseReport(text);
  return read === 'too-large' ? undefined : (read ?? readOutput(text).cases);
}

/** The cases that an output names. */
interface OutputCases {
  /** Every case; undefined if the runners print only the failed ones, or if their number does not fit the summaries. */
  readonly cases: Cases | undefined;
  /** The failed cases, and the files and packages that failed outside of a case; undefined if they are not all named. */
  readonly failures: readonly string[] | undefined;
}

const readers = ecosystems.flatMap(e => e.runners ?? []).filter(r => r.all ?? r.failed);

const maxLineChars = 2_000;

const unread: OutputCases = { cases: undefined, failures: undefined };

/** The cases in the output of a test command, from all its runners; nothing if one of them is not known. */
export function readOutput(output: string): OutputCases {
  const summaries = readSummaries(output).filter(s => s.ran > 0 || s.failed > 0);
  if (summaries.length === 0 || output.length > maxReportChars) return unread;
  const lines = plainText(output)
    .split('\n')
    .map(line => line.slice(0, maxLineChars));
  const read = [...new Set(summaries.map(s => s.runner))].map(name => {
    const printed = { lines, summaries: summaries.filter(s => s.runner === name) };
    const reader = readers.find(r => r.runner === name);
    const all = reader?.all?.(printed);
    const failed = all?.filter(c => c.status === 'failed') ?? reader?.failed?.(printed);
    return { all, failed };
  });
  return {
    cases: join(read.map(r => r.all)),
    failures: join(read.map(r => r.failed))?.map(c => c.id),
  };
}

function join(lists: readonly (Cases | undefined)[]): Cases | undefined {
  const known = lists.filter(list => list !== undefined);
  if (known.length < lists.length) return undefined;
  const cases = uniqueCases(known.flat());
  return cases === 'too-large' ? undefined : cases;
}
