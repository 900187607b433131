/** Opens what the model sees of a run besides its rules: a bounded transcript, or memory and the last results. */
import { sum } from '../../base/plural.ts';
import type { KnownLines, ShownLines } from '../../guard/seen-lines.ts';
import type { Turn } from '../../model/turn.ts';
import {
  type CallResult,
  type ConversationOptions,
  cutText,
  type FitOptions,
  type ModelConversation,
  renderResult,
  taskText,
} from './model-conversation.ts';
import { fill, type Templates } from './profile.ts';
import { conversationBytes } from './transcript.ts';
import { TranscriptConversation } from './transcript-conversation.ts';

/** Opens the conversation that the profile asks for. */
export function openConversation(options: ConversationOptions): ModelConversation {
  return options.profile.memory === 'ram'
    ? new RamConversation(options)
    : new TranscriptConversation(options);
}

/** Every request holds the task, the memory, the states and the results of the last round, and nothing else. */
class RamConversation implements ModelConversation {
  readonly #options: ConversationOptions;
  /** Texts of active skills that earlier rounds asked for. */
  #skillTexts: readonly SkillText[] = [];
  #fresh: readonly SkillText[] = [];
  #answers: readonly CallResult[] = [];
  /** The texts of the results, cut to their bound. */
  #texts: readonly string[] = [];

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  add(_turn: Turn, answers: readonly CallResult[]): void {
    this.#skillTexts = newest([...this.#skillTexts, ...this.#fresh], maxSkillTextBytes);
    this.#fresh = answers.flatMap((answer, i) => {
      const { whileActive: activation, text } = answer;
      return activation === undefined ? [] : [{ activation, text: this.#render(answer, text, i) }];
    });
    this.#answers = answers;
    this.#cut(this.#options.profile.limits.resultBytes);
  }

  fit({ maxBytes }: FitOptions): void {
    const bytes = () => conversationBytes(this.messages());
    const results = sum(this.#texts.map(text => Buffer.byteLength(text)));
    // the texts of skills may have a third of the request; the oldest go first
    this.#skillTexts = newest(this.#skillTexts, Math.floor(maxBytes / 3));
    // an escape in a request can double a byte
    for (let share = results; bytes() > maxBytes && share > 0; ) {
      share = Math.min(Math.floor(share / 2), Math.max(0, share - (bytes() - maxBytes)));
      this.#cut(share);
    }
  }

  leastBytes(): number {
    return conversationBytes([{ role: 'user', text: taskText(this.#options) }]);
  }

  /** Only what the last results show: the memory holds the model's words, not the file's. */
  shownLines(): readonly ShownLines[] {
    return this.#answers.flatMap(({ lines = [], change, text }, i) => {
      const shown = this.#texts[i] ?? '';
      return shown === text || change === 'patch'
        ? lines
        : lines.map(s => ({ ...s, lines: linesLeft(s.lines, shown) }));
    });
  }

  messages() {
    const { images, ram, states, isActive, profile } = this.#options;
    const { templates } = profile;
    const entries = ram
      .entries()
      .map(([key, value]) => fill(templates, 'memory_entry', { key, value }));
    const kept = entries.join('\n') || fill(templates, 'no_memory', {});
    this.#skillTexts = this.#skillTexts.filter(t => isActive(t.activation));
    const results =
      this.#answers.map((a, i) => this.#render(a, this.#texts[i] ?? '', i)).join('\n') ||
      fill(templates, 'no_results', {});
    const text = [
      taskText(this.#options),
      ...this.#skillTexts.map(t => t.text),
      fill(templates, 'memory', { entries: kept }),
      fill(templates, 'states', { states: states().join(', ') }),
      fill(templates, 'results', { results }),
    ].join('\n\n');
    return [{ role: 'user' as const, text, images }];
  }

  #cut(maxBytes: number): void {
    this.#texts = shareOut(this.#answers, maxBytes, this.#options.profile.templates);
  }

  #render({ call }: CallResult, text: string, i: number): string {
    const { mark, profile } = this.#options;
    return renderResult({ call, text, number: i + 1 }, { templates: profile.templates, mark });
  }
}

/** A text that is shown while an activation of a skill lasts. */
interface SkillText {
  readonly activation: string;
  readonly text: string;
}

/** Most bytes of texts of active skills in each request. */
const maxSkillTextBytes = 16_000;

/** The newest texts that fit together. */
function newest(texts: readonly SkillText[], maxBytes: number): readonly SkillText[] {
  let left = maxBytes;
  const from = texts.findLastIndex(({ text }) => {
    left -= Buffer.byteLength(text);
    return left < 0;
  });
  return texts.slice(from + 1);
}

/** Cuts texts so that together they stay within a bound; the space that a short text leaves goes to the next. */
function shareOut(
  answers: readonly CallResult[],
  maxBytes: number,
  templates: Templates,
): readonly string[] {
  let left = maxBytes;
  return answers.map(({ text }, i) => {
    const share = Math.floor(left / (answers.length - i));
    const shown = cutText(text, share, templates);
    left -= Math.min(left, Buffer.byteLength(shown));
    return shown;
  });
}

/** The lines of a result whose text was cut: those whose numbers are still in it, and blank lines before them. */
function linesLeft(lines: KnownLines, text: string): KnownLines {
  const rows = new Set(text.split('\n'));
  const left = new Set<number>();
  for (const [n, line] of [...lines].toReversed())
    if (rows.has(`${n}\t${line}`) || (line === '' && left.has(n + 1))) left.add(n);
  return new Map([...lines].filter(([n]) => left.has(n)));
}
