/** The diff of a pull request as data, and its pages for the model. Pure. */
import { takeLines } from './output-ends.ts';

/** A file that a pull request changes. */
export interface PullFile {
  readonly path: string;
  /** `added`, `modified`, `removed`, `renamed` … */
  readonly status: string;
  readonly added: number;
  readonly deleted: number;
  /** Its hunks; empty when there is no text that can be compared, or too much of it. */
  readonly patch: string;
}

/** What a pull request changes. */
export interface PullDiff {
  readonly files: readonly PullFile[];
  /** True when GitHub lists no more than these files of a larger diff. */
  readonly cut: boolean;
}

/** `modified src/a.ts +3 -1`. */
export function changeLine({ status, path, added, deleted }: PullFile): string {
  return `${status} ${path} +${added} -${deleted}`;
}

interface PageRequest {
  /** Lines that are left out at the start. */
  readonly offset: number;
  readonly maxBytes: number;
}

/** Whole lines from an offset on, and the offset of the next page. */
export function linesFrom(text: string, { offset, maxBytes }: PageRequest): string {
  const lines = text.split('\n');
  const page = [...takeLines(lines.slice(offset), { bytes: maxBytes - 100 })];
  // a line that is longer than a page is shown in part
  if (page.length === 0 && offset < lines.length)
    page.push((lines[offset] ?? '').slice(0, Math.max(0, Math.floor((maxBytes - 100) / 4))));
  const next = offset + page.length;
  return next >= lines.length
    ? page.join('\n')
    : `${page.join('\n')}\n${lines.length - next} more lines; offset ${next} shows them.`;
}
