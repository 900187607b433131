/** Searches for the model's own words where they must not be, and where they stand without their label (docs/constitution.md, §8). */
import { agentsLabel } from '../../src/report/pull-request/sections.ts';
import type { ModelStep, ScriptedTurn } from './model.ts';

/** What a model says in a turn. */
export interface Prose {
  /** Texts beside the calls and reasons of calls: they come out nowhere. */
  readonly reasoning: readonly string[];
  /** Texts for the reader: summary, answer, the reason to give up, a question with its choices. They come out under the label. */
  readonly forReaders: readonly string[];
  /** Scopes of plans: for the reader if the plan is shown, and nowhere otherwise. */
  readonly scopes: readonly string[];
}

/** Arguments that are for the reader, by tool. All other reasons and texts are reasoning. */
const readerArguments: ReadonlyMap<string, readonly string[]> = new Map([
  ['finish', ['summary', 'answer']],
  ['abstain', ['reason']],
  ['clarify', ['question', 'choices']],
]);

/** The words of a step that a model played. */
export function proseOf(step: ModelStep): Prose {
  if ('status' in step || 'raw' in step || 'stall' in step)
    return { reasoning: [], forReaders: [], scopes: [] };
  const turn = step as ScriptedTurn;
  const calls = readCalls(turn);
  const textsOf = (value: unknown): readonly string[] =>
    typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap(textsOf) : [];
  const forReaders = calls
    .flatMap(({ name, given }) =>
      name === 'clarify'
        ? [(readerArguments.get('clarify') ?? []).flatMap(key => textsOf(given[key])).join('\n')]
        : (readerArguments.get(name) ?? []).flatMap(key => textsOf(given[key])),
    )
    .filter(text => text !== '');
  const scopes = calls.flatMap(({ name, given }) => (name === 'plan' ? textsOf(given.scope) : []));
  const reasons = calls.flatMap(({ name, given }) =>
    readerArguments.get(name)?.includes('reason') ? [] : textsOf(given.reason),
  );
  return { reasoning: [turn.text ?? '', ...reasons], forReaders, scopes };
}

function listTools(step: ModelStep): readonly string[] {
  return ((step as ScriptedTurn).calls ?? []).map(call => call.name);
}

/** The calls of a turn with their arguments; text that is no JSON object has none. */
function readCalls({ calls = [] }: ScriptedTurn) {
  return calls.map(({ name, arguments: given }) => {
    const value: unknown = typeof given === 'string' ? tryParse(given) : given;
    return { name, given: (typeof value === 'object' && value) || {} } as {
      readonly name: string;
      readonly given: Readonly<Record<string, unknown>>;
    };
  });
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The same for a run that changed nothing: without an answer, the reason of `finish` is for the reader. */
function withLastReason(step: ModelStep): Prose {
  const prose = proseOf(step);
  const { reason, answer } =
    readCalls(step as ScriptedTurn).find(c => c.name === 'finish')?.given ?? {};
  if (typeof reason !== 'string' || answer) return prose;
  return {
    ...prose,
    reasoning: prose.reasoning.filter(text => text !== reason),
    forReaders: [...prose.forReaders, reason],
  };
}

/** Where words may come out. */
export interface Sinks {
  /** What people read: no reasoning, and the words for them under the label. */
  readonly published: Readonly<Record<string, string>>;
  /** Data with a named field for the words: no reasoning. */
  readonly data: Readonly<Record<string, string>>;
  /** What holds no words of a model at all. */
  readonly closed: Readonly<Record<string, string>>;
  readonly showsPlan?: boolean;
  /** True for a run that ended with its finish and without a patch, whatever it tried. */
  readonly changesNothing?: boolean;
}

/** `sink: sentence` for each sentence that must not be there, and `sink, without its label: sentence`. */
export function findProse(sent: readonly ModelStep[], sinks: Sinks): readonly string[] {
  const changed =
    sinks.changesNothing !== true && sent.some(step => listTools(step).includes('apply_patch'));
  const prose = sent.map(step => (changed ? proseOf(step) : withLastReason(step)));
  const scopes = prose.flatMap(p => p.scopes);
  const shown = sinks.showsPlan === true ? scopes : [];
  const hidden = sinks.showsPlan === true ? [] : scopes;
  const forReaders = [...new Set([...prose.flatMap(p => p.forReaders), ...shown])];
  const meant = lettersOf(forReaders.join(' '));
  const reasoning = [
    ...new Set([...prose.flatMap(p => p.reasoning), ...hidden].flatMap(sentencesOf)),
  ].filter(sentence => !meant.includes(lettersOf(sentence)));
  const holding = (some: Readonly<Record<string, string>>, sentences: readonly string[]) =>
    Object.entries(some).flatMap(([sink, text]) => {
      const letters = lettersOf(text);
      return sentences.filter(s => letters.includes(lettersOf(s))).map(s => `${sink}: ${s}`);
    });
  const bare = Object.entries(sinks.published).flatMap(([sink, text]) =>
    withoutLabel(text, forReaders).map(sentence => `${sink}, without its label: ${sentence}`),
  );
  const everything = { ...sinks.published, ...sinks.data, ...sinks.closed };
  return [
    ...holding(everything, reasoning),
    ...holding(sinks.closed, forReaders.flatMap(sentencesOf)),
    ...bare,
  ];
}

const label = lettersOf(agentsLabel);

/** Sentences of the texts that stand somewhere else than in a text that a label introduces. */
function withoutLabel(surface: string, texts: readonly string[]): readonly string[] {
  // each text under a label is taken away; what is left stands without one
  let left = lettersOf(surface);
  for (const text of [...texts].sort((a, b) => b.length - a.length))
    left = left.replaceAll(`${label}${lettersOf(text)}`, ' ');
  return texts.flatMap(sentencesOf).filter(sentence => {
    const [before = '', ...under] = left.split(label);
    return (
      before.includes(lettersOf(sentence)) || under.some(part => goesBeyond(part, sentence, texts))
    );
  });
}

/**
 * True if a sentence stands behind a label that introduces another text. A text that its rendering cut or changed begins as
 * the model wrote it; its own sentences belong to the label.
 */
function goesBeyond(part: string, sentence: string, texts: readonly string[]): boolean {
  const at = part.indexOf(lettersOf(sentence));
  if (at < 0) return false;
  const own = texts.find(t => part.startsWith(beginningOf(t)) && t.includes(sentence));
  return own === undefined || at > lettersOf(own).length * 2;
}

/** How a text begins, however its later lines are set. */
function beginningOf(text: string): string {
  return lettersOf(text.split('\n')[0] ?? '').slice(0, 20);
}

/** Letters and digits alone: no escape, mark or line break hides a sentence. The name of a fence's language is left out. */
function lettersOf(text: string): string {
  return text
    .replace(/^`{3,}\w+$/gm, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/** Sentences that are long enough to be unique. */
function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map(s => s.trim())
    .filter(s => s.length >= 20);
}
