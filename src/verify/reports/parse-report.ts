/** Parses a test report in any of the known formats: XML, TAP, and those of the ecosystems. */

import { isObject, parseJson } from '../../base/schema-issue.ts';
import { ecosystems } from '../../ecosystems/index.ts';
import type { ReadReport, TestCase } from '../../ecosystems/shared/test-case.ts';
import { parseTap } from './parse-tap.ts';
import { parseXml } from './parse-xml.ts';
import { readOutput } from './read-output.ts';

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
