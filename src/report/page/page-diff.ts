/** Renders a unified diff side by side, with what the tests show of each changed line. */
import { parsePatch, type StructuredPatch, type StructuredPatchHunk } from 'diff';
import type { LineProof, PatchProof, SurvivingMutant } from '../../base/findings.ts';
import { commonEnds, cutEnd } from '../../base/plural.ts';
import { html, type Markup } from './html.ts';

/** Rows of all files together. A longer diff is in `patch.diff`. */
const maxRows = 3_000;
const maxChars = 600;

/** One side of a row; undefined where the other side has a line more. */
interface Side {
  readonly number: number;
  readonly text: string;
}
interface Row {
  readonly old: Side | undefined;
  readonly now: Side | undefined;
}
interface Hunk {
  readonly head: string;
  readonly rows: readonly Row[];
}
interface DiffFile {
  readonly path: string;
  /** What says more than the path, such as a new mode. */
  readonly facts: readonly (string | false)[];
  readonly hunks: readonly Hunk[];
}

/** The files of a diff, each with its hunks; empty markup for an empty diff. */
export function renderDiffView(diff: string, proof?: PatchProof): Markup {
  const files = parseFiles(diff);
  if (files === undefined) return html`<pre>${cutEnd(diff, maxRows * 80)}</pre>`;
  let left = maxRows;
  const views: Markup[] = [];
  for (const file of files) {
    const rows = file.hunks.reduce((sum, h) => sum + h.rows.length, 0);
    if (left > 0) views.push(renderFile(file, proof, left));
    left -= Math.max(1, rows);
  }
  const cut =
    left < 0
      ? html`<p class="notice">The patch is too long to show as a whole. All of it is in <code>patch.diff</code>.</p>`
      : '';
  return html`${views}${cut}`;
}

/** The files of a unified diff as git writes it; undefined if a secret that was blanked in it took a line away. */
function parseFiles(diff: string): readonly DiffFile[] | undefined {
  try {
    return parsePatch(diff)
      .filter(file => file.isGit)
      .map(readFile);
  } catch {
    return undefined;
  }
}

function readFile({ isCreate, isDelete, hunks, ...file }: StructuredPatch): DiffFile {
  const { oldFileName = '', newFileName = '', oldMode, newMode } = file;
  const path = newFileName === '/dev/null' ? oldFileName : newFileName;
  return {
    path: path.replace(/^[ab]\//, ''),
    facts: [
      isCreate === true && `new file mode ${newMode}`,
      isDelete === true && `deleted file mode ${oldMode}`,
      !isCreate && newMode !== undefined && `mode ${oldMode}, now ${newMode}`,
      hunks.length === 0 && 'There are no lines to show.',
    ],
    hunks: hunks.map(hunk => ({
      head: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
      rows: pairRows(hunk),
    })),
  };
}

/** Pairs removed lines with the added lines that follow them. */
function pairRows({ oldStart, newStart, lines }: StructuredPatchHunk): readonly Row[] {
  let [oldLine, nowLine] = [oldStart, newStart];
  const rows: Row[] = [];
  let [removed, added]: [Side[], Side[]] = [[], []];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++)
      rows.push({ old: removed[i], now: added[i] });
    [removed, added] = [[], []];
  };
  for (const line of lines) {
    const text = line.slice(1);
    if (line.startsWith('-')) removed.push({ number: oldLine++, text });
    else if (line.startsWith('+')) added.push({ number: nowLine++, text });
    else if (line.startsWith(' ')) {
      flush();
      rows.push({ old: { number: oldLine++, text }, now: { number: nowLine++, text } });
    }
  }
  flush();
  return rows;
}

function renderFile({ path, facts, hunks }: DiffFile, proof: PatchProof | undefined, max: number) {
  let left = max;
  const shown = hunks.flatMap(hunk => {
    const rows = hunk.rows.slice(0, Math.max(0, left));
    left -= hunk.rows.length;
    return rows.length === 0 ? [] : [{ head: hunk.head, rows }];
  });
  const showsOf = provenLines(path, proof);
  const survived = proof?.mutants.survived.filter(m => m.path === path) ?? [];
  const body = shown.map(
    hunk =>
      html`<tr class="hunk"><td colspan="5">${hunk.head}</td></tr>
${hunk.rows.map(row => html`${renderRow(row, showsOf)}${weakRows(row, survived)}`)}`,
  );
  const table =
    shown.length === 0
      ? ''
      : html`<table class="diff"><caption class="vh">${path}</caption>
<colgroup><col class="n"><col><col class="n"><col class="p"><col></colgroup>
<thead class="vh"><tr><th scope="col">line before</th><th scope="col">before</th><th scope="col">line after</th><th scope="col">tests</th><th scope="col">after</th></tr></thead>
<tbody>${body}</tbody></table>`;
  return html`<h3>${path}</h3>${facts.map(fact => fact && html`<p class="quiet">${fact}</p>`)}${table}`;
}

type ShowsOf = (line: number) => LineProof | undefined;

function provenLines(path: string, proof: PatchProof | undefined): ShowsOf {
  const own = proof?.lines.filter(l => l.path === path) ?? [];
  return line => own.find(l => line >= l.start && line <= l.end)?.shows;
}

const marks: Readonly<Record<LineProof, readonly [sign: string, meaning: string]>> = {
  decided: ['✓', 'a test fails without this line, or with a variant of it'],
  executed: ['~', 'a test runs this line, and none is known to notice a change of it'],
  unexecuted: ['✗', 'no test runs this line'],
  unknown: ['?', 'Photon cannot judge what the tests show of this line: review it'],
};

function renderRow({ old, now }: Row, showsOf: ShowsOf): Markup {
  const same = old !== undefined && now !== undefined && old.text === now.text;
  if (same)
    return html`<tr class="same"><td class="n">${old.number}</td><td class="old">${cutLine(old.text)}</td><td class="n">${now.number}</td><td class="p"></td><td class="new">${cutLine(now.text)}</td></tr>
`;
  const [before, after] =
    old && now ? wordChange(cutLine(old.text), cutLine(now.text)) : [null, null];
  const left = old
    ? html`<td class="n">${old.number}</td><td class="old changed">${before ?? cutLine(old.text)}</td>`
    : html`<td class="n none"></td><td class="old none"></td>`;
  const right = now
    ? html`<td class="n">${now.number}</td>${proofCell(showsOf(now.number))}<td class="new changed">${after ?? cutLine(now.text)}</td>`
    : html`<td class="n none"></td><td class="p none"></td><td class="new none"></td>`;
  return html`<tr>${left}${right}</tr>
`;
}

function proofCell(shows: LineProof | undefined): Markup {
  if (shows === undefined) return html`<td class="p"></td>`;
  const [sign, meaning] = marks[shows];
  return html`<td class="p ${shows}" title="${meaning}"><span aria-hidden="true">${sign}</span><span class="vh">${meaning}</span></td>`;
}

/** The meaning of each mark that the proof of a patch uses. */
export function renderLegend({ counts }: PatchProof): Markup {
  const used = (Object.keys(marks) as LineProof[]).filter(shows => counts[shows] > 0);
  if (used.length === 0) return html``;
  return html`<p class="quiet">${used.map(shows => html`<span class="${shows}">${marks[shows][0]}</span> ${marks[shows][1]} (${counts[shows]}) `)}</p>`;
}

const maxWeak = 3;

/** What the tests would not notice, below its line. */
function weakRows({ now }: Row, survived: readonly SurvivingMutant[]): readonly Markup[] {
  const own = now === undefined ? [] : survived.filter(m => m.line === now.number);
  return own.slice(0, maxWeak).map(
    mutant =>
      html`<tr class="weak"><td colspan="5"><span class="warn">Would pass, too:</span> <code>${cutLine(mutant.after.trim())}</code></td></tr>
`,
  );
}

/** Both texts with the part that differs marked. */
function wordChange(before: string, after: string): readonly [Markup, Markup] {
  const { head, tail } = commonEnds(before, after);
  const markChange = (text: string) =>
    html`${text.slice(0, head)}<b>${text.slice(head, text.length - tail)}</b>${text.slice(text.length - tail)}`;
  return [markChange(before), markChange(after)];
}

const cutLine = (text: string) => cutEnd(text, maxChars);
