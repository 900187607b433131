/** Makes and ranks candidate edits: every template at every node of the suspicious lines. */
import type { Node } from 'web-tree-sitter';
import { findLanguageAdapter } from '../languages/index.ts';
import type { LanguageAdapter } from '../languages/language.ts';
import type { Suspect } from '../localise/localise.ts';
import { plainEdits, type TextEdit } from './edit.ts';
import { openScopes } from './scope.ts';
import type { EditProposal, Template } from './template.ts';
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
}

export interface Source {
  readonly path: string;
  readonly text: string;
  /** Suspicion by line. */
  readonly lines: ReadonlyMap<number, number>;
}

/** Suspicious lines by file, in the order of the most suspicious line. */
export function groupSources(
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

/** What bounds a stream of candidates. */
interface StreamBounds {
  /** Candidates with a lower score are left out, and so need not be made. */
  readonly floor: () => number;
  /** True to end the stream. */
  readonly ended: () => boolean;
}

const unbounded: StreamBounds = { floor: () => 0, ended: () => false };

/** A file and its tree. */
interface ParsedSource {
  readonly source: Source;
  readonly root: Node;
  /** What makes the candidates, if it is not the search. */
  readonly kinds?: readonly Template[];
}

/** Makes the candidates of one file one by one, from its most suspicious nodes to the others. */
export function* streamCandidates(
  { source, root, kinds = templates }: ParsedSource,
  { floor, ended }: StreamBounds = unbounded,
): Generator<Candidate> {
  const language = findLanguageAdapter(source.path);
  if (language === undefined) return;
  const { text } = source;
  const names = openScopes(language);
  const lineAt = openLines(text);
  const topPrior = Math.max(...kinds.map(t => t.prior));
  for (const { node, suspicion } of suspiciousNodes(root, source, language)) {
    if (ended() || suspicion * topPrior < floor()) return;
    const site = { node, language, names };
    for (const template of kinds) {
      if (suspicion * template.prior < floor()) continue;
      for (const proposal of template.propose(site)) {
        const reaches = suspicion * template.prior * proposal.weight >= floor();
        if (reaches && changes(proposal, text))
          yield candidate(source, proposal, { template, suspicion, lineAt });
        else if (ended()) return;
      }
    }
  }
}

interface SuspiciousNode {
  readonly node: Node;
  /** The suspicion of the line where the node begins, or where its statement begins. */
  readonly suspicion: number;
}

/** The nodes under suspicion, most suspicious first, each group in the order of the text. */
function suspiciousNodes(
  root: Node,
  { lines }: Source,
  { types }: LanguageAdapter,
): readonly SuspiciousNode[] {
  const found: SuspiciousNode[] = [];
  // from the top, because to look for the parent of a node takes time in a long file
  const visit = (node: Node, inBlock: boolean, around: number) => {
    const own = lines.get(node.startPosition.row + 1);
    const isStatement = inBlock && types.statement.has(node.type);
    // the lines of a block have their own suspicion
    const below = !isStatement ? around : types.simple.has(node.type) ? (own ?? 0) : 0;
    const suspicion = own ?? below;
    if (suspicion > 0) found.push({ node, suspicion });
    const isBlock = types.block.has(node.type);
    for (const child of node.namedChildren) if (child !== null) visit(child, isBlock, below);
  };
  for (const child of root.namedChildren)
    if (child !== null) visit(child, types.block.has(root.type), 0);
  return found.sort((a, b) => b.suspicion - a.suspicion);
}

function candidate(
  { path, text }: Source,
  proposal: EditProposal,
  about: Pick<Candidate, 'template' | 'suspicion'> & { lineAt: (offset: number) => number },
): Candidate {
  const { template, suspicion, lineAt } = about;
  const inOrder = [...proposal.edits].sort((a, b) => a.start - b.start);
  const edits = plainEdits(text, inOrder);
  const line = lineAt(edits[0]?.start ?? 0);
  return {
    path,
    line,
    edits,
    template,
    suspicion,
    score: suspicion * template.prior * proposal.weight,
  };
}

/** Finds the line of an offset, counted from 1. */
function openLines(text: string): (offset: number) => number {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(m => m.index + 1)];
  return offset => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function changes({ edits, weight }: EditProposal, text: string): boolean {
  if (weight <= 0 || edits.length === 0) return false;
  const inOrder = [...edits].sort((a, b) => a.start - b.start);
  const overlap = inOrder.some((e, i) => i > 0 && e.start < (inOrder[i - 1]?.end ?? 0));
  return !overlap && edits.some(e => text.slice(e.start, e.end) !== e.text && !isIdle(e, text));
}

/** True for `n += 0` and `n *= 1`: the statement does nothing any more. */
function isIdle({ start, text: written }: TextEdit, text: string): boolean {
  const operator = text.slice(start - 3, start);
  return (
    (written === '0' && /[-+]= $/.test(operator)) || (written === '1' && /[*/]= $/.test(operator))
  );
}
