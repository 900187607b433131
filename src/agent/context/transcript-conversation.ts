/** A conversation as a bounded transcript; notes say what was dropped and how to get it back. */
import type { LineRange } from '../../guard/claim.ts';
import { toLineRanges } from '../../guard/read-lines.ts';
import { locateLines, type ShownLines, showsAgain } from '../../guard/seen-lines.ts';
import type { Message, Turn } from '../../model/turn.ts';
import {
  type CallResult,
  type ConversationOptions,
  type FitOptions,
  type ModelConversation,
  renderResult,
  taskText,
} from './model-conversation.ts';
import { fill } from './profile.ts';
import {
  compactRounds,
  conversationBytes,
  type ShownAnswer,
  type ShownRound,
  type Worth,
} from './transcript.ts';

/** What the engine knows of an answer. */
interface About {
  readonly round: number;
  readonly result: CallResult;
  /** Name and arguments of the call: a later call that is the same supersedes it. */
  readonly same: string;
  /** The latest answer that refers to this one. */
  lastUse: number;
  /** Text of an answer that refers to an earlier one instead of repeating it. */
  readonly refersTo: number | undefined;
}

/** Most bytes of the list of what dropped rounds read. */
const maxListBytes = 600;

export class TranscriptConversation implements ModelConversation {
  readonly #options: ConversationOptions;
  readonly #about = new Map<number, About>();
  /** Answers whose text is no longer sent. */
  readonly #dropped = new Set<number>();
  #rounds: readonly ShownRound[] = [];
  #added = 0;
  #planned: ReadonlySet<string> = new Set();
  /** The active skills as the last skill call left them; undefined before the first. */
  #skillsShown: string | undefined;
  /** Lines that rounds read which are no longer in the transcript. */
  readonly #gone = new Map<string, ReadonlySet<number>>();

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  add({ text, calls, opaque }: Turn, answers: readonly CallResult[]): void {
    this.#added += 1;
    if (calls.some(call => /^skill_(?:de)?activate$/.test(call.name)))
      this.#skillsShown = this.#options.activeSkills();
    const reply = { role: 'assistant' as const, text, calls, opaque };
    const shown = answers.map((result, i) => this.#answer(result, i));
    this.#rounds = [...this.#rounds, { reply, answers: shown }];
  }

  fit({ maxBytes, plannedFiles }: FitOptions): void {
    const { limits } = this.#options.profile;
    this.#planned = plannedFiles;
    const about = Buffer.byteLength(JSON.stringify(this.#options.activeSkills()));
    const free = maxBytes - conversationBytes([this.#task()]) - noteBytes - about;
    const before = this.#rounds;
    const after = compactRounds(before, {
      maxBytes: Math.max(0, Math.min(limits.transcriptBytes, free)),
      cachePrices: this.#options.cachePrices,
      expectedRounds: this.#added / 6,
      judgeWorth: a => this.#judgeWorth(a),
      lastUse: a => this.#about.get(a.number)?.lastUse ?? 0,
      getNote: a => this.#getNote(a),
    });
    if (after === undefined) return;
    const kept = new Map(after.flatMap(r => r.answers).map(a => [a.number, a]));
    for (const answer of before.flatMap(r => r.answers)) {
      const left = kept.get(answer.number);
      if (left === undefined) this.#listGone(answer);
      if (left === undefined || left.dropped) this.#dropped.add(answer.number);
    }
    this.#rounds = after;
  }

  leastBytes(): number {
    return conversationBytes([this.#task()]);
  }

  shownLines(): readonly ShownLines[] {
    return this.#listShown().flatMap(([, { result }]) => result.lines ?? []);
  }

  /** The answers whose text is still sent. */
  #listShown(): readonly (readonly [number, About])[] {
    return [...this.#about].filter(([number]) => !this.#dropped.has(number));
  }

  messages(): readonly Message[] {
    const { templates } = this.#options.profile;
    const dropped = this.#added - this.#rounds.length;
    const read = this.#gone.size === 0 ? '-' : formatLines(this.#gone, maxListBytes);
    const text = fill(templates, 'dropped_rounds', { rounds: dropped, read });
    const skills = this.#showsSkills() ? '' : `\n\n${this.#options.activeSkills()}`;
    const note = { role: 'user' as const, text: `${text}${skills}`.trim() };
    const shown = this.#rounds.flatMap(r => [r.reply, ...r.answers.map(a => this.#shownNow(a))]);
    return [this.#task(), dropped === 0 && skills === '' ? undefined : note, ...shown].filter(
      item => item !== undefined,
    );
  }

  /** True unless the result of an activation that lasts is no longer in the transcript, or the skill has changed since. */
  #showsSkills(): boolean {
    if (this.#skillsShown !== undefined && this.#skillsShown !== this.#options.activeSkills())
      return false;
    const shown = new Set(
      this.#rounds.flatMap(r => r.answers.filter(a => !a.dropped).map(a => a.number)),
    );
    return this.#about.entries().every(([number, { result }]) => {
      const { call, whileActive = '' } = result;
      const lasts = call?.name === 'skill_activate' && this.#options.isActive(whileActive);
      return !lasts || shown.has(number);
    });
  }

  #task(): Message {
    const { images } = this.#options;
    const text = taskText(this.#options);
    return { role: 'user', text, images };
  }

  /** Results in the form of the protocol: as replies to call ids, or as text. */
  #answer(result: CallResult, i: number): ShownAnswer {
    const number = this.#about.size;
    const { profile, mark } = this.#options;
    const { protocol, templates } = profile;
    const { call } = result;
    const same = call === undefined ? '' : `${call.name} ${call.argumentsText}`;
    const refersTo = this.#repeats(result) ?? this.#findSame(result, same);
    const text = refersTo === undefined ? result.text : this.#refer(result, refersTo);
    const own = refersTo === undefined ? result : { ...result, lines: [] };
    this.#about.set(number, { round: this.#added, result: own, same, lastUse: number, refersTo });
    if (refersTo !== undefined) this.#use(refersTo, number);
    if (call === undefined) return { number, dropped: false, message: { role: 'user', text } };
    const { id: callId, name } = call;
    const shown =
      protocol === 'native'
        ? text
        : renderResult({ call, text, number: i + 1 }, { templates, mark });
    return { number, dropped: false, message: { role: 'tool', callId, name, text: shown } };
  }

  /** What stands for a result that an earlier answer shows. */
  #refer(result: CallResult, refersTo: number): string {
    const { templates } = this.#options.profile;
    const paths = linesByPath(result);
    const { round = 0 } = this.#about.get(refersTo) ?? {};
    return paths.size === 0
      ? fill(templates, 'same_result', { round })
      : fill(templates, 'shown_above', { lines: formatLines(paths, maxListBytes) });
  }

  /** The earlier answer that still shows every line of this result, or undefined. */
  #repeats({ lines = [], linesOnly }: CallResult): number | undefined {
    const [first, ...others] = lines;
    if (linesOnly !== true || first === undefined || others.length > 0) return undefined;
    if (first.lines.size < minRepeated) return undefined;
    const isSame = ({ result }: About) =>
      result.change !== 'patch' && showsAgain(result.lines ?? [], first);
    return this.#listShown().findLast(([, about]) => isSame(about))?.[0];
  }

  /** The last answer to the same call, if it still shows this very text. */
  #findSame(
    { text, lines = [], change, whileActive }: CallResult,
    same: string,
  ): number | undefined {
    if (change !== undefined || whileActive !== undefined) return undefined;
    const isLast = ([, a]: [number, About]) => a.same === same && a.refersTo === undefined;
    const [number = -1, last] = [...this.#about].findLast(isLast) ?? [];
    const isShown =
      last?.result.text === text &&
      !this.#dropped.has(number) &&
      lines.every(shown => showsAgain(last.result.lines ?? [], shown));
    return isShown && Buffer.byteLength(text) >= minRepeatedBytes ? number : undefined;
  }

  #use(number: number, by: number): void {
    const about = this.#about.get(number);
    if (about !== undefined) about.lastUse = by;
  }

  #judgeWorth({ number, message }: ShownAnswer): Worth {
    const about = this.#about.get(number);
    if (about === undefined || message.role !== 'tool') return 'ordinary';
    const { result, same, refersTo } = about;
    const { whileActive } = result;
    const { isActive } = this.#options;
    if (whileActive !== undefined) return isActive(whileActive) ? 'held' : 'superseded';
    if (refersTo !== undefined || this.#hasLater(number, same, message.name)) return 'superseded';
    if (message.name === 'verify') return 'held';
    const paths = [...linesByPath(result).keys()];
    if (paths.length === 0) return 'ordinary';
    if (result.change === undefined && this.#isShownLater(number, result)) return 'superseded';
    return paths.some(p => this.#planned.has(p)) ? 'planned' : 'ordinary';
  }

  /** True when later answers show each line that this answer shows. */
  #isShownLater(number: number, result: CallResult): boolean {
    const own = locateLines(result.lines ?? []);
    const later = this.#listShown().filter(([n]) => n > number);
    const lines = later.flatMap(([, a]) => (a.result.lines ?? []).filter(s => own.has(s.path)));
    const shown = locateLines(lines);
    return own.entries().every(([path, all]) => all.isSubsetOf(shown.get(path) ?? new Set()));
  }

  /** True when a later call of this conversation does the same; only the last verification counts. */
  #hasLater(number: number, same: string, tool: string): boolean {
    if (changing.has(tool)) return false;
    return this.#rounds
      .flatMap(r => r.answers)
      .some(a => {
        if (a.number <= number || a.dropped || a.message.role !== 'tool') return false;
        const about = this.#about.get(a.number);
        if (about?.refersTo !== undefined) return false;
        return tool === 'verify' ? a.message.name === tool : about?.same === same;
      });
  }

  #shownNow({ number, message, dropped }: ShownAnswer): Message {
    const { result, refersTo } = this.#about.get(number) ?? {};
    const activation = result?.whileActive;
    if (refersTo !== undefined && this.#dropped.has(refersTo))
      return { ...message, text: this.#getNote({ number: refersTo, message, dropped }) };
    if (activation === undefined || dropped || this.#options.isActive(activation)) return message;
    const { templates } = this.#options.profile;
    const name = activation.slice(0, activation.lastIndexOf('#'));
    return { ...message, text: fill(templates, 'inactive_skill', { name }) };
  }

  #getNote({ number, message }: ShownAnswer): string {
    const { templates } = this.#options.profile;
    const { round = 0, result } = this.#about.get(number) ?? {};
    const shown = locateLines(result?.lines ?? []);
    const tool = message.role === 'tool' ? message.name : '';
    const bytes = Buffer.byteLength(result?.text ?? message.text);
    return shown.size === 0
      ? fill(templates, 'dropped_result', { tool, bytes, round })
      : fill(templates, 'dropped_read', { lines: formatLines(shown, maxListBytes), round });
  }

  #listGone({ number }: ShownAnswer): void {
    for (const [path, lines] of locateLines(this.#about.get(number)?.result.lines ?? []))
      this.#gone.set(path, lines.union(this.#gone.get(path) ?? new Set()));
  }
}

/** Bytes set aside for the note about dropped rounds. */
const noteBytes = maxListBytes + 400;

/** Fewest lines, and bytes of another result, that are worth a reference instead of their text. */
const minRepeated = 4;
const minRepeatedBytes = 300;

/** Tools whose results later calls do not supersede, though they have the same arguments. */
const changing: ReadonlySet<string> = new Set(['apply_patch', 'undo', 'plan', 'run_command']);

function linesByPath({ lines = [] }: CallResult): ReadonlyMap<string, ReadonlySet<number>> {
  return new Map(lines.map(s => [s.path, new Set(s.lines.keys())] as const));
}

/** `src/a.ts L1-200, L210; src/b.ts L3-9`, within a number of bytes. */
function formatLines(files: ReadonlyMap<string, ReadonlySet<number>>, maxBytes: number): string {
  const all = [...files].map(
    ([path, lines]) => `${path} ${toLineRanges(lines).map(formatRange).join(', ')}`,
  );
  const shown: string[] = [];
  let bytes = 0;
  for (const each of all) {
    bytes += Buffer.byteLength(each) + 2;
    if (bytes > maxBytes) return [...shown, `${all.length - shown.length} more`].join('; ');
    shown.push(each);
  }
  return shown.join('; ');
}

const formatRange = ({ startLine, endLine }: LineRange) =>
  startLine === endLine ? `L${startLine}` : `L${startLine}-${endLine}`;
