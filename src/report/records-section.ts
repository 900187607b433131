/** Record changes of a run ► the part of the pull request in which they are reviewed. Pure. */
import type { Outcome, RecordChange } from '../outcome.ts';
import { cellText, fencedText, inlineText } from './escape.ts';

const verbs: Readonly<Record<string, string>> = {
  add: 'New',
  update: 'Changed',
  issue: 'Problem flagged on',
  confirm: 'Verified pattern',
};

/** The hidden mark that binds a pull request to its changes; empty where none wait. */
export function recordsMarker({ records, runId }: Outcome): string {
  return records?.mode === 'reviewed' ? `<!-- photon:records=${runId}:${records.digest} -->` : '';
}

/** Every change with its whole text, since what is accepted must have been seen. */
export function recordsSection({ records }: Outcome): string {
  if (records === undefined) return '';
  const when =
    records.mode === 'reviewed'
      ? 'They are kept when this pull request is merged, or by `/photon accept`. Later runs read them as advice.'
      : 'They were kept at once (`memory: yolo`). Later runs read them as advice.';
  return ['## Records', when, ...records.changes.map(shown)].join('\n\n');
}

function shown({ operation, id, kind, title, text, tags, seen }: RecordChange): string {
  const name = [verbs[operation] ?? operation, kind, `\`${id}\``].filter(p => p !== '').join(' ');
  const version = seen === undefined ? '' : ` (version ${seen})`;
  const words = title === '' ? '' : `: ${inlineText(title)}`;
  const tagged = tags.length === 0 ? '' : ` ${tags.map(t => cellText(t)).join(' ')}`;
  return `${name}${version}${words}${tagged}\n\n${fencedText(text, { maxChars: 6000 })}`;
}
