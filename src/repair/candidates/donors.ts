/** Parts of the whole project that an edit may reuse: its statements, expressions, signatures and imports. Pure. */
import type { Node } from 'web-tree-sitter';
import { findLanguageAdapter } from '../languages/index.ts';
import type { RepairContext } from '../runners/runner-context.ts';
import { collectIngredients, type FileIngredients, type Piece } from './ingredients.ts';

/** What the other files of a project give to a file. */
export interface Donors {
  readonly statements: readonly Piece[];
  readonly conditions: readonly Piece[];
  readonly expressions: readonly Piece[];
  /** Names of the parameters of each function. */
  readonly signatures: ReadonlyMap<string, readonly string[]>;
  /** The statements that import a name. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

const maxPieces = 1500;

/** No donors. */
export const noDonors: Donors = {
  statements: [],
  conditions: [],
  expressions: [],
  signatures: new Map(),
  imports: new Map(),
};

/** The donors of one file, from its ingredients. */
export function collectDonors(
  root: Node,
  { statements, conditions, expressions, signatures }: FileIngredients,
): Donors {
  const imports = new Map<string, readonly string[]>();
  const isImport = /^(import_statement|import_from_statement)$/;
  const required = /^(?:const|let|var)\s+(?:\{[^}]*\}|[\w$]+)\s*=\s*require\([^)]*\)/;
  for (const node of root.namedChildren) {
    if (node === null || (!isImport.test(node.type) && !required.test(node.text))) continue;
    for (const [name] of node.text.matchAll(/[\w$]+/g))
      imports.set(name, [...(imports.get(name) ?? []), node.text]);
  }
  return { statements, conditions, expressions, signatures, imports };
}

/** The donors of several files as one, bounded. The first files give the most. */
export function joinDonors(files: readonly Donors[]): Donors {
  const pieces = (of: (d: Donors) => readonly Piece[]) => {
    const found = new Map<string, Piece>();
    for (const file of files)
      for (const piece of of(file))
        if (found.size < maxPieces && !found.has(piece.text)) found.set(piece.text, piece);
    return [...found.values()];
  };
  const imports = new Map<string, readonly string[]>();
  for (const file of files)
    for (const [name, lines] of file.imports)
      imports.set(name, [...new Set([...(imports.get(name) ?? []), ...lines])].slice(0, 3));
  return {
    statements: pieces(d => d.statements),
    conditions: pieces(d => d.conditions),
    expressions: pieces(d => d.expressions),
    signatures: new Map(files.toReversed().flatMap(d => [...d.signatures])),
    imports,
  };
}

const tokenise = (text: string) => new Set(text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? []);

/** The share of tokens that two texts have in common: Jaccard's index. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const word of one) if (other.has(word)) common += 1;
  return common / Math.max(1, one.size + other.size - common);
}

/** Ranks pieces by similarity to a text. Tokens of a piece are read once. */
export function openSimilar(pieces: readonly Piece[]): (text: string) => readonly SimilarPiece[] {
  let read: readonly (readonly [Piece, ReadonlySet<string>])[] | undefined;
  return text => {
    read ??= pieces.map(p => [p, tokenise(p.text)] as const);
    const own = tokenise(text);
    return read
      .map(([piece, words]) => ({ piece, likeness: similarity(own, words) }))
      .filter(({ piece, likeness }) => likeness >= leastLikeness && piece.text !== text)
      .sort((a, b) => b.likeness - a.likeness)
      .slice(0, maxSimilar);
  };
}

/** A piece, and how much it has in common with a text. */
export interface SimilarPiece {
  readonly piece: Piece;
  /** In (0, 1]. */
  readonly likeness: number;
}

const leastLikeness = 0.3;
const maxSimilar = 30;

const maxFiles = 40;
const maxChars = 300_000;

/** Opens the donors of a project: for a path, those of the other files in its language. Files are parsed once. */
export function openDonors(context: RepairContext): (path: string) => Promise<Donors> {
  const known = new Map<string, Promise<Donors | undefined>>();
  const read = async (path: string) => {
    const language = findLanguageAdapter(path);
    const text = language === undefined ? undefined : await context.text(path);
    if (language === undefined || text === undefined) return undefined;
    return context.withTree(path, text, root =>
      collectDonors(root, collectIngredients(root, language)),
    );
  };
  return async path => {
    const language = findLanguageAdapter(path);
    const near = (await context.files())
      .filter(p => p !== path && findLanguageAdapter(p) === language && context.mayChange(p))
      .map(p => ({ p, distance: measureDistance(path, p) }))
      .sort((a, b) => a.distance - b.distance || (a.p < b.p ? -1 : 1))
      .slice(0, maxFiles);
    const found: Donors[] = [];
    let left = maxChars;
    for (const { p } of near) {
      left -= (await context.text(p))?.length ?? 0;
      if (left < 0) break;
      const donors = known.get(p) ?? read(p);
      known.set(p, donors);
      const made = await donors;
      if (made !== undefined) found.push(made);
    }
    return joinDonors(found);
  };
}

/** Number of folders between two paths. */
function measureDistance(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const common = a.findIndex((part, i) => part !== b[i]);
  return a.length + b.length - 2 * (common < 0 ? a.length : common);
}
