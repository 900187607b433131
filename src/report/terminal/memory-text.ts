/** Renders records for the terminal. */
import { joinDefined, plural } from '../../base/plural.ts';
import { describeWarning } from '../../memory/change.ts';
import type { Queue } from '../../memory/queue.ts';
import type { MemoryRecord, Provenance } from '../../memory/record.ts';
import { scoreRecord } from '../../memory/score.ts';

/** One line per record, best first, then the changes that wait for a review. */
export function renderRecordList(
  records: readonly MemoryRecord[],
  queues: readonly Queue[],
  nowMs: number,
): string {
  const lines = records.map(record => {
    const { id, version, kind, title } = record;
    const warning = describeWarning(record) === '' ? '' : 'WARNING ';
    return `${id}  v${version}  ${kind.padEnd(10)}  ${score(record, nowMs)}  ${warning}${plain(title)}`;
  });
  const waiting = queues.map(({ changes: { length }, run, pull, at }) => {
    const where = pull === 0 ? '' : `, pull request #${pull}`;
    const wait = length === 1 ? 'waits' : 'wait';
    return `${plural(length, 'change')} of run ${run}${where}, ${wait} for a review since ${at.slice(0, 10)}`;
  });
  const none = lines.length === 0 ? ['There are no records.'] : [];
  return `${[...none, ...lines, ...waiting].join('\n')}\n`;
}

export function renderRecordDetail(r: MemoryRecord, nowMs: number): string {
  const origin = (o: Provenance) =>
    `${o.at} by ${plain(o.who)}, run ${plain(o.run)} on ${o.commit.slice(0, 12)}${o.accepted === undefined ? '' : `, accepted by ${plain(o.accepted)}`}`;
  const warning = describeWarning(r);
  const files = r.tried?.files ?? [];
  return joinDefined([
    `${r.id}, ${r.kind}, version ${r.version}, score ${score(r, nowMs)}`,
    warning !== '' && `WARNING: ${plain(warning)}`,
    `title:   ${plain(r.title)}`,
    r.tags.length > 0 && `tags:    ${r.tags.map(plain).join(', ')}`,
    files.length > 0 && `files:   ${files.map(plain).join(', ')}`,
    `uses:    ${r.uses}, confirmed ${r.confirmed}, failed ${r.failed}`,
    `created: ${origin(r.created)}`,
    `updated: ${origin(r.updated)}`,
    '',
    ...r.body.split('\n').map(plain),
    '',
  ]);
}

const score = (record: MemoryRecord, nowMs: number) =>
  scoreRecord(record, nowMs).toFixed(2).padStart(5);

/** The text of a record without characters that control the terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\uFFFD');
}
