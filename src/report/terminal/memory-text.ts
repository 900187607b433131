/** Renders records for the terminal. */
import { plural } from '../../base/plural.ts';

/** A record as the terminal shows it. */
export interface ShownRecord {
  readonly id: string;
  readonly kind: string;
  readonly version: number;
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  /** From -1 to 1. */
  readonly score: number;
  /** Why the record may be wrong; empty if nothing says so. */
  readonly warning: string;
  readonly uses: number;
  readonly confirmed: number;
  readonly failed: number;
  readonly created: Origin;
  readonly updated: Origin;
  readonly files: readonly string[];
}

interface Origin {
  readonly run: string;
  readonly commit: string;
  readonly who: string;
  readonly at: string;
  readonly accepted?: string | undefined;
}

/** Changes that wait for a review. */
interface ShownQueue {
  readonly run: string;
  readonly pull: number;
  readonly at: string;
  readonly changes: number;
}

/** One line per record, best first, then the pending changes. */
export function renderRecordList(
  records: readonly ShownRecord[],
  queues: readonly ShownQueue[],
): string {
  const lines = records.map(
    r =>
      `${r.id}  v${r.version}  ${r.kind.padEnd(10)}  ${score(r.score)}  ${r.warning === '' ? '' : 'WARNING '}${plain(r.title)}`,
  );
  const waiting = queues.map(
    q =>
      `${plural(q.changes, 'change')} of run ${q.run}${q.pull === 0 ? '' : `, pull request #${q.pull}`}, ${q.changes === 1 ? 'waits' : 'wait'} for a review since ${q.at.slice(0, 10)}`,
  );
  const none = lines.length === 0 ? ['There are no records.'] : [];
  return `${[...none, ...lines, ...waiting].join('\n')}\n`;
}

/** One record in full. */
export function renderRecordDetail(r: ShownRecord): string {
  const origin = (o: Origin) =>
    `${o.at} by ${plain(o.who)}, run ${plain(o.run)} on ${o.commit.slice(0, 12)}${o.accepted === undefined ? '' : `, accepted by ${plain(o.accepted)}`}`;
  return [
    `${r.id}, ${r.kind}, version ${r.version}, score ${score(r.score)}`,
    r.warning === '' ? undefined : `WARNING: ${plain(r.warning)}`,
    `title:   ${plain(r.title)}`,
    r.tags.length === 0 ? undefined : `tags:    ${r.tags.map(plain).join(', ')}`,
    r.files.length === 0 ? undefined : `files:   ${r.files.map(plain).join(', ')}`,
    `uses:    ${r.uses}, confirmed ${r.confirmed}, failed ${r.failed}`,
    `created: ${origin(r.created)}`,
    `updated: ${origin(r.updated)}`,
    '',
    ...r.body.split('\n').map(plain),
    '',
  ]
    .filter(item => item !== undefined)
    .join('\n');
}

function score(value: number): string {
  return value.toFixed(2).padStart(5);
}

/** The text of a record without characters that control the terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD');
}
