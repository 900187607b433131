/** Makes and ranks candidate edits: every template at every node of the suspicious lines. */
import type { Node } from 'web-tree-sitter';
import type { EditProposal, TextEdit } from './edit.ts';
import { collectIngredients } from './ingredients.ts';
import type { LanguageAdapter } from './language-adapter.ts';
import { languageAdapterOf } from './languages.ts';
import { lineEditOf } from './line-edits.ts';
import type { Suspect } from './localise.ts';
import { openScopes, statementOf } from './scope.ts';
import type { Template } from './template.ts';
import { templates } from './templates/index.ts';

/** One edit that may be the repair. */
export interface Candidate {
  readonly path: string;
  /** The first line that it changes, counted from 1. */
  readonly line: number;
  readonly edits: readonly TextEdit[];
  readonly template: Template;
  /** The suspicion of the line, times how common the edit is. */
  readonly score: number;
  readonly suspicion: number;
  /** Why it may only hide the failure; empty for an ordinary edit. */
  readonly risk: string;
}

export interface Source {
  readonly path: string;
  readonly text: string;
  /** Suspicion by line. */
  readonly lines: ReadonlyMap<number, number>;
}

/** Suspicious lines by file, in the order of the most suspicious line. */
export function sourcesOf(
  suspects: readonly Suspect[],
  textOf: ReadonlyMap<string, string>,
): readonly Source[] {
  const lines = new Map<string, Map<number, number>>();
  for (const { path, line, score } of suspects)
    lines.set(path, (lines.get(path) ?? new Map<number, number>()).set(line, score));
  return [...lines].flatMap(([path, found]) => {
    const text = textOf.get(path);
    return text === undefined ? [] : [{ path, text, lines: found }];
  });
}

/** The candidates of one file; `root` is the tree of its text. */
export function candidatesOf(source: Source, root: Node): readonly Candidate[] {
  const language = languageAdapterOf(source.path);
  if (language === null) return [];
  const names = openScopes(language);
  const ingredients = collectIngredients(root, language);
  const found: Candidate[] = [];
  const visit = (node: Node) => {
    const suspicion = suspicionOf(node, source, language);
    if (suspicion > 0)
      for (const template of templates)
        for (const proposal of template.propose({
          node,
          text: source.text,
          language,
          names,
          ingredients,
        }))
          if (changes(proposal, source.text) && !isIdle(node, proposal))
            found.push(candidate(source, proposal, { template, suspicion }));
    for (const child of node.namedChildren) if (child !== null) visit(child);
  };
  visit(root);
  return found;
}

/** The suspicion of the line where the node begins, or where its statement begins. */
function suspicionOf(node: Node, { lines }: Source, language: LanguageAdapter): number {
  const own = lines.get(node.startPosition.row + 1);
  if (own !== undefined) return own;
  const statement = statementOf(node, language);
  if (statement === null || language.types.function.has(statement.type)) return 0;
  const first = statement.startPosition.row + 1;
  // the lines of a block have their own suspicion
  return language.types.simple.has(statement.type) ? (lines.get(first) ?? 0) : 0;
}

function candidate(
  { path, text }: Source,
  proposal: EditProposal,
  { template, suspicion }: { template: Template; suspicion: number },
): Candidate {
  const edits = [...proposal.edits].sort((a, b) => a.start - b.start);
  const line = text.slice(0, edits[0]?.start ?? 0).split('\n').length;
  const risk = proposal.risk ?? template.risk ?? '';
  return {
    path,
    line,
    edits,
    template,
    suspicion,
    risk,
    score: suspicion * template.prior * proposal.weight,
  };
}

function changes({ edits, weight }: EditProposal, text: string): boolean {
  if (weight <= 0 || edits.length === 0) return false;
  const inOrder = [...edits].sort((a, b) => a.start - b.start);
  const overlap = inOrder.some((e, i) => i > 0 && e.start < (inOrder[i - 1]?.end ?? 0));
  return !overlap && edits.some(e => text.slice(e.start, e.end) !== e.text);
}

/** True for an edit that adds or subtracts 0, or multiplies or divides by 1; another template makes it without that. */
function isIdle(node: Node, { edits }: EditProposal): boolean {
  const [only] = edits;
  if (edits.length !== 1 || only?.start !== node.startIndex || only.end !== node.endIndex)
    return false;
  if (!/^(binary|augmented)/.test(node.parent?.type ?? '')) return false;
  const operator = node.previousSibling?.type ?? '';
  return (
    (only.text === '0' && /^[-+]=?$/.test(operator)) ||
    (only.text === '1' && /^[*/]=?$/.test(operator))
  );
}

/** Sorts the best first and keeps only the best of edits with the same result. Depends on score and order only. */
export function rankCandidates(
  candidates: readonly Candidate[],
  textOf: ReadonlyMap<string, string>,
): readonly Candidate[] {
  const order = new Map(templates.map((t, i) => [t.id, i]));
  const ranked = candidates
    .map((c, i) => ({ c, i }))
    .sort(
      (a, b) =>
        b.c.score - a.c.score ||
        (order.get(a.c.template.id) ?? 0) - (order.get(b.c.template.id) ?? 0) ||
        a.i - b.i,
    );
  const seen = new Set<string>();
  return ranked.flatMap(({ c }) => {
    const lines = changedLines(c, textOf.get(c.path) ?? '');
    const key = `${c.path}\0${lines}`;
    if (lines === '' || seen.has(key)) return [];
    seen.add(key);
    return [c];
  });
}

/** The changed lines as a key: the same for all edits with the same result. */
function changedLines({ edits }: Candidate, text: string): string {
  const edit = lineEditOf(text, edits);
  return edit === null ? '' : `${edit.startLine}\0${edit.endLine}\0${edit.content}`;
}
