/** Renders what the model sees of skills: a list within a byte limit, those that fit the task first, and each active skill. */
import { collectWords } from '../base/plural.ts';
import { listGrantedTools, type Skill, type SkillInterface } from './skill.ts';

/** Name of a template in the agent profile. */
type SkillText =
  | 'skills'
  | 'skill'
  | 'other_skills'
  | 'more_skills'
  | 'active_skill'
  | 'no_tools'
  | 'enforced'
  | 'constraints'
  | 'constraint'
  | 'interface'
  | 'role'
  | 'input'
  | 'steps'
  | 'step'
  | 'output'
  | 'success'
  | 'abstain';

/** Renders the template of that name with its placeholders filled. */
export type SkillMessages = (
  name: SkillText,
  values: Readonly<Record<string, string | number>>,
) => string;

/** Maximum bytes of the discovery prompt, of its descriptions where not all fit, and of one line. */
export const maxDiscoveryBytes = 2000;
const maxDescribedBytes = 1200;
const maxLineBytes = 180;
/** With more undescribed skills than this, the skill_search tool is offered. */
const maxBare = 12;
const maxResults = 12;

/** Words that carry no information about a task. */
const common = collectWords(
  'the and for with from that this when then not but are was were has have its into should would could must use used all any one can please skill skills code file files repository project',
);

export interface Discovery {
  readonly text: string;
  /** True when a search can find more than the prompt shows. */
  readonly more: boolean;
}

/**
 * Names and one-line descriptions of all skills, those that match the task first. Where these do not fit, the
 * descriptions of the first ones, then names. Contains no other content of the skills.
 */
export function renderDiscovery(
  skills: readonly Skill[],
  task: string,
  messages: SkillMessages,
): Discovery {
  if (skills.length === 0) return { text: '', more: false };
  const ranked = rankSkills(skills, scoreSkills(skills, task));
  const all = ranked.map(s => renderLine(s, messages));
  const whole = messages('skills', { skills: all.join('\n') });
  if (Buffer.byteLength(whole) <= maxDiscoveryBytes) return { text: whole, more: false };
  const described = fill(all, maxDescribedBytes);
  const bare = ranked.slice(described.length).map(s => s.name);
  // leaves space for the line that counts the unnamed skills
  const left =
    maxDiscoveryBytes -
    Buffer.byteLength(messages('skills', { skills: described.join('\n') })) -
    80;
  const named = fill(bare, left);
  const unnamed = bare.length - named.length;
  const lines = [
    ...described,
    named.length === 0 ? undefined : messages('other_skills', { names: named.join(', ') }),
    unnamed === 0 ? undefined : messages('more_skills', { count: unnamed }),
  ].filter(item => item !== undefined);
  const text = messages('skills', { skills: lines.join('\n') });
  return { text, more: unnamed > 0 || bare.length > maxBare };
}

/** The longest prefix of the texts that fits, with two bytes between them. */
function fill(texts: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex(text => {
    bytes += Buffer.byteLength(text) + 2;
    return bytes > maxBytes;
  });
  return end < 0 ? texts : texts.slice(0, end);
}

/** The skills that match a query, best first; at most twelve. */
export function searchSkills(skills: readonly Skill[], query: string): readonly Skill[] {
  const scores = scoreSkills(skills, query);
  return rankSkills(skills, scores)
    .filter(s => (scores.get(s.name) ?? 0) > 0)
    .slice(0, maxResults);
}

/** A skill as one line. */
export function renderLine({ name, description }: Skill, messages: SkillMessages): string {
  return cutBytes(messages('skill', { name, description }), maxLineBytes);
}

/** Best first; equal scores keep the order of the allowlist. */
function rankSkills(skills: readonly Skill[], scores: ReadonlyMap<string, number>) {
  return [...skills].sort((a, b) => (scores.get(b.name) ?? 0) - (scores.get(a.name) ?? 0));
}

/** Scores each skill by shared word stems: rare stems count more, and stems of the name count threefold. */
function scoreSkills(skills: readonly Skill[], task: string): ReadonlyMap<string, number> {
  const wanted = new Set(listStems(task));
  const scores = new Map<string, number>();
  if (wanted.size === 0) return scores;
  const stems = skills.map(s => ({
    skill: s,
    name: new Set(listStems(s.name)),
    rest: new Set(listStems(s.description)),
  }));
  const holders = new Map<string, number>();
  for (const { name, rest } of stems)
    for (const stem of new Set([...name, ...rest]))
      if (wanted.has(stem)) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  for (const { skill, name, rest } of stems) {
    let score = 0;
    for (const [stem, count] of holders) {
      const weight = Math.log(1 + skills.length / count);
      score += (name.has(stem) ? 3 : rest.has(stem) ? 1 : 0) * weight;
    }
    if (score > 0) scores.set(skill.name, score);
  }
  return scores;
}

/** Word stems; for scripts without spaces between words, each pair of characters. */
function listStems(text: string): readonly string[] {
  const found: string[] = [];
  const parts = text.slice(0, 20_000).toLowerCase();
  for (const [word] of parts.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word))
      for (let i = 0; i + 1 < word.length; i++) found.push(word.slice(i, i + 2));
    else if (word.length > 2 && !common.has(word)) found.push(stemWord(word));
  }
  return found;
}

function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const cut = Buffer.from(text)
    .subarray(0, max - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/u, '')}…`;
}

/** The word without its usual English ending. */
export function stemWord(word: string): string {
  const short = word.replace(/(ies|ing|ed|es|s|er|ers|ion|ions|ly)$/, '').replace(/(.)\1$/, '$1');
  return short.length >= 3 ? short : word;
}

/** The short prompt of an active skill, without its body. */
export function renderActive(
  skill: Skill,
  tools: ReadonlySet<string>,
  messages: SkillMessages,
): string {
  const { name, description, constraints } = skill;
  const shown = [...new Set(listGrantedTools(skill, tools).map(t => t.shown))];
  const bounds = describeBounds(skill).join('; ');
  const rules = constraints.map(text => messages('constraint', { text })).join('\n');
  return [
    messages('active_skill', {
      name,
      description,
      tools: shown.join(', ') || messages('no_tools', {}),
    }),
    bounds === '' ? '' : messages('enforced', { bounds }),
    rules === '' ? '' : messages('constraints', { constraints: rules }),
    renderInterface(skill.interface, messages),
  ]
    .filter(text => text !== '')
    .join('\n');
}

function renderInterface(parts: SkillInterface, messages: SkillMessages): string {
  const part = (name: 'role' | 'input' | 'output' | 'success' | 'abstain') =>
    parts[name] === '' ? '' : messages(name, { text: parts[name] });
  const steps = parts.steps.map((text, i) => messages('step', { number: i + 1, text })).join('\n');
  const text = [
    part('role'),
    part('input'),
    steps === '' ? '' : messages('steps', { steps }),
    part('output'),
    part('success'),
    part('abstain'),
  ]
    .filter(text => text !== '')
    .join('\n');
  return text === '' ? '' : messages('interface', { text });
}

export function describeBounds({
  guards,
  budgets,
}: Pick<Skill, 'guards' | 'budgets'>): readonly string[] {
  const phrases: (string | false | undefined)[] = [
    guards.paths && `changes only ${guards.paths.join(', ')}`,
    guards.except && `never changes ${guards.except.join(', ')}`,
    guards.create === false && 'creates no file',
    guards.delete === false && 'deletes no file',
    guards.suppress === false && 'silences no check, skips no test',
    guards.maxFiles !== undefined && `at most ${guards.maxFiles} files`,
    guards.maxLines !== undefined && `at most ${guards.maxLines} changed lines`,
    budgets.calls !== undefined && `at most ${budgets.calls} calls of its tools`,
    budgets.rounds !== undefined && `active for at most ${budgets.rounds} rounds`,
  ];
  return phrases.filter(s => typeof s === 'string');
}
