/** Which skills are named first: ranked to the task by their own words, in bounded bytes. Pure. */
import type { Skill } from './skill.ts';
import type { SkillMessages } from './skill-messages.ts';

/** Most bytes of the discovery prompt, whatever the number of skills; of its descriptions; of one. */
export const maxDiscoveryBytes = 2000;
const maxDescribedBytes = 1200;
const maxLineBytes = 180;
/** More skills than these by name alone, and a search is worth its place among the tools. */
const maxBare = 12;
const maxResults = 12;

/** Words that say nothing about what is wanted. */
const common = new Set(
  'the and for with from that this when then not but are was were has have its into should would could must use used all any one can please skill skills code file files repository project'.split(
    ' ',
  ),
);

export interface Discovery {
  readonly text: string;
  /** True when there is more to find than it shows. */
  readonly more: boolean;
}

/**
 * Names and one-line descriptions of the skills that fit the task, and the names of the others; of
 * all, when none fits. Nothing of a skill's content.
 */
export function renderDiscovery(
  skills: readonly Skill[],
  task: string,
  words: SkillMessages,
): Discovery {
  if (skills.length === 0) return { text: '', more: false };
  const scores = scoreSkills(skills, task);
  const ranked = rankSkills(skills, scores);
  const fitting = ranked.filter(s => scores.has(s.name));
  const described = fill(
    (fitting.length > 0 ? fitting : ranked).map(s => renderLine(s, words)),
    maxDescribedBytes,
  );
  const bare = ranked.slice(described.length).map(s => s.name);
  // room for the line that tells of those which are not even named
  const left =
    maxDiscoveryBytes - Buffer.byteLength(words('skills', { skills: described.join('\n') })) - 80;
  const named = fill(bare, left);
  const unnamed = bare.length - named.length;
  const lines = [
    ...described,
    ...(named.length === 0 ? [] : [words('other_skills', { names: named.join(', ') })]),
    ...(unnamed === 0 ? [] : [words('more_skills', { count: unnamed })]),
  ];
  const text = words('skills', { skills: lines.join('\n') });
  return { text, more: unnamed > 0 || bare.length > maxBare };
}

/** The first of some texts, as long as they fit with two bytes between them. */
function fill(texts: readonly string[], maxBytes: number): readonly string[] {
  let bytes = 0;
  const end = texts.findIndex(text => {
    bytes += Buffer.byteLength(text) + 2;
    return bytes > maxBytes;
  });
  return end < 0 ? texts : texts.slice(0, end);
}

/** The skills that some words fit, best first; at most twelve. */
export function searchSkills(skills: readonly Skill[], query: string): readonly Skill[] {
  const scores = scoreSkills(skills, query);
  return rankSkills(skills, scores)
    .filter(s => (scores.get(s.name) ?? 0) > 0)
    .slice(0, maxResults);
}

/** A skill as one line. */
export function renderLine({ name, description }: Skill, words: SkillMessages): string {
  return cutBytes(words('skill', { name, description }), maxLineBytes);
}

/** Best first; the order of the allowlist among equals. */
function rankSkills(
  skills: readonly Skill[],
  scores: ReadonlyMap<string, number>,
): readonly Skill[] {
  return [...skills].sort((a, b) => (scores.get(b.name) ?? 0) - (scores.get(a.name) ?? 0));
}

/** How well each skill fits: words that few skills have weigh most, and those of a name more. */
function scoreSkills(skills: readonly Skill[], task: string): ReadonlyMap<string, number> {
  const wanted = new Set(stemsOf(task));
  const scores = new Map<string, number>();
  if (wanted.size === 0) return scores;
  const words = skills.map(s => ({
    skill: s,
    name: new Set(stemsOf(s.name)),
    rest: new Set(stemsOf(s.description)),
  }));
  const holders = new Map<string, number>();
  for (const { name, rest } of words)
    for (const stem of new Set([...name, ...rest]))
      if (wanted.has(stem)) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  for (const { skill, name, rest } of words) {
    let score = 0;
    for (const [stem, count] of holders) {
      const weight = Math.log(1 + skills.length / count);
      score += (name.has(stem) ? 3 : rest.has(stem) ? 1 : 0) * weight;
    }
    if (score > 0) scores.set(skill.name, score);
  }
  return scores;
}

/** Words without their endings; of scripts that part no words, each pair of letters. */
function stemsOf(text: string): readonly string[] {
  const found: string[] = [];
  const parts = text.slice(0, 20_000).toLowerCase();
  for (const [word] of parts.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (/\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word))
      for (let i = 0; i + 1 < word.length; i++) found.push(word.slice(i, i + 2));
    else if (word.length > 2 && !common.has(word)) found.push(stem(word));
  }
  return found;
}

function stem(word: string): string {
  const short = word.replace(/(ies|ing|ed|es|s|er|ers|ion|ions|ly)$/, '').replace(/(.)\1$/, '$1');
  return short.length >= 3 ? short : word;
}

function cutBytes(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  const cut = Buffer.from(text)
    .subarray(0, max - 3)
    .toString('utf8');
  return `${cut.replace(/\uFFFD+$/u, '')}…`;
}
