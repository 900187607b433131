/** Full-text search over a few short texts, with SQLite FTS5 in memory and bm25 ranking. */
import { collectWords } from '../../base/plural.ts';
import { SqliteFile } from './sqlite.ts';

export interface Document {
  readonly id: string;
  readonly title: string;
  readonly tags: string;
  readonly body: string;
}

export interface TextMatch {
  readonly id: string;
  /** Above 0; higher is better. */
  readonly relevance: number;
}

export interface FullText {
  /** Adds a document, or replaces the one with the same id. */
  put(document: Document): void;
  /** Documents that contain at least one word of the query, best first. Any text is a valid query. */
  search(query: string): readonly TextMatch[];
  close(): void;
}

/** Weights of a hit in the title, the tags and the body. */
const weights = { title: 4, tags: 3, body: 1 };

const maxQueryWords = 60;

/** Opens an empty index. It applies English stemming and ignores accents and case. */
export function openFullText(): FullText {
  const db = new SqliteFile(':memory:', 'write');
  db.exec(
    `CREATE VIRTUAL TABLE note USING fts5(id UNINDEXED, title, tags, body,
      tokenize = "porter unicode61 remove_diacritics 2")`,
  );
  return {
    put: ({ id, title, tags, body }) => {
      db.run('DELETE FROM note WHERE id = ?', id);
      db.run(
        'INSERT INTO note (id, title, tags, body) VALUES (?, ?, ?, ?)',
        id,
        withParts(title),
        withParts(tags),
        withParts(body),
      );
    },
    search: query => {
      const match = quoteWords(query);
      if (match === '') return [];
      const { title, tags, body } = weights;
      const rows = db.all(
        `SELECT id, -bm25(note, 0, ${title}, ${tags}, ${body}) AS relevance FROM note
          WHERE note MATCH ? ORDER BY relevance DESC, id`,
        match,
      );
      // a word that every document contains has a weight near 0, but it is still a match
      return rows.map(r => ({ id: String(r.id), relevance: Math.max(1e-9, Number(r.relevance)) }));
    },
    close: () => db.close(),
  };
}

/** Quotes every word, so that no character of a query is an operator. */
function quoteWords(query: string): string {
  const words = withParts(query.slice(0, 4000)).match(/[\p{L}\p{N}]+/gu) ?? [];
  const distinct = [...new Set(words.map(w => w.toLowerCase()))].filter(w => !common.has(w));
  return distinct
    .slice(0, maxQueryWords)
    .map(w => `"${w}"`)
    .join(' OR ');
}

/** Appends the parts of compound names to a text, so that `total` finds `orderTotal`. */
function withParts(text: string): string {
  const names = text.match(
    /(?<![\p{L}\p{N}_])[\p{L}\p{N}_]*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\d\p{Lu})[\p{L}\p{N}_]*/gu,
  );
  if (names === null) return text;
  const parts = names.flatMap(n =>
    n
      .replace(/(?<!\p{Lu})(\p{Lu}+)(\p{Lu}\p{Ll})|([\p{Ll}\d])(?=\p{Lu})/gu, '$1$3 $2')
      .split(/[\s_]+/),
  );
  return `${text} ${parts.join(' ')}`;
}

/** Stop words, which carry no meaning for a search. */
const common = collectWords(
  'a an and are as at be by for from has have i if in is it its no not of on or so that the then there this to was we what when which will with you',
);
