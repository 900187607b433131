/** The discussion around a task: comments as they were at the command, and the issues that they mention. */
import type { ContextText, Conversation, Task } from '../../../base/task.ts';
import { type OutsideSource, readOutside } from '../../../guard/content/outside-text.ts';
import type { RunInput } from '../../host.ts';
import type { Author, GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';
import { mayWrite } from '../auth/access.ts';
import type { RepositoryContext } from '../auth/repository-context.ts';
import type { Thread } from '../parse/event.ts';
import { findCommand, ownMark } from '../parse/find-command.ts';
import { findImages } from './attachments.ts';
import { listComments } from './comment.ts';
import type { PostedText } from './review-threads.ts';

/** What a task is about, and when it was given. */
export interface Occasion {
  readonly conversation: Conversation;
  readonly thread: Thread;
  /** Moment of the command (ISO 8601). What was written or edited after it is left out. */
  readonly at: string;
  /** True to show what a pull request changes. */
  readonly showsDiff: boolean;
}

/** A comment of any kind. */
type WrittenText = Omit<PostedText, 'id'>;

const maxComments = 30;
/** Maximum characters of one comment, and of all. */
const maxChars = { one: 4_000, all: 24_000 } as const;

/** The comments that the model may see, oldest first. What cannot be read is left out, and Photon's log says so. */
export async function readDiscussion(
  context: RepositoryContext,
  occasion: Occasion,
): Promise<readonly ContextText[]> {
  if (context.settings.conversation === 'off') return [];
  const { github } = context;
  const nameOf = visibleAuthors(context, occasion.thread.author);
  return readOrSkip(github, 'the conversation', () => readComments(context, occasion, nameOf));
}

/** What a read returns; nothing if it fails, with a line in the log. @throws when the run was ended. */
export async function readOrSkip<T>(
  github: GitHub,
  what: string,
  read: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  try {
    return await read();
  } catch (error) {
    if (github.signal.aborted) throw error;
    github.log(`GitHub: Photon cannot read ${what}: ${formatMessage(error)}`);
    return [];
  }
}

/** Longer than any text that GitHub accepts. */
const maxBody = 100_000;

interface ShownText {
  readonly source: OutsideSource;
  readonly text: string;
  /** Most characters that are shown. */
  readonly max?: number;
}

/** A text for the model: as its readers see it, without secrets, and bounded. It is cleaned whole, since a part of a tag would be text. */
export function shownText(
  { scrub }: Pick<RepositoryContext, 'scrub'>,
  { source, text, max = maxChars.one }: ShownText,
): string {
  const clean = scrub(readOutside(source, text.slice(0, maxBody)).text).trim();
  return clean.length <= max ? clean : `${clean.slice(0, max).toWellFormed()} […]`;
}

/** True for a text that was there, as it is now, when the command was given. */
export function existedAt(
  { createdAt, editedAt }: Pick<WrittenText, 'createdAt' | 'editedAt'>,
  at: string,
): boolean {
  const moment = Date.parse(at);
  if (Number.isNaN(moment) || !(Date.parse(createdAt) <= moment)) return false;
  // times have whole seconds, so an edit in the second of the command can be a later one
  return editedAt === undefined || Date.parse(editedAt) < moment;
}

async function readComments(
  context: RepositoryContext,
  { conversation, at }: Occasion,
  nameOf: NameOf,
): Promise<readonly ContextText[]> {
  const { github } = context;
  const all = await listComments(github, { number: conversation.number });
  const candidates = all
    .filter(c => conversation.comment?.kind !== 'issue' || c.id !== conversation.comment.id)
    .map(({ user, body = '', created_at: createdAt, updated_at: updated }) => ({
      author: user ?? undefined,
      body,
      createdAt,
      editedAt: updated === createdAt ? undefined : updated,
    }))
    .filter(c => existedAt(c, at) && isTalk(c.body, context));
  const label = (time: string) => context.taskTexts('comment_label', { time });
  return newestShown(context, candidates, { nameOf, label: c => label(formatTime(c)) });
}

/** False for Photon's own comments, and for commands, which are requests of their own. */
export function isTalk(body: string, { settings }: Pick<RepositoryContext, 'settings'>): boolean {
  return !ownMark.test(body) && findCommand(body, settings.triggers.words) === undefined;
}

/** `2026-02-01 12:00 UTC`. */
export function formatTime({ createdAt }: Pick<WrittenText, 'createdAt'>): string {
  return `${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The newest texts that the model may see, within the bounds, oldest first. */
export async function newestShown<T extends WrittenText>(
  context: RepositoryContext,
  texts: readonly T[],
  {
    nameOf,
    label,
    frame = (_one, body) => body,
  }: {
    readonly nameOf: NameOf;
    readonly label: (text: T) => string;
    /** What is shown of a text; foreign words, such as a path, belong here and not into the label. */
    readonly frame?: (text: T, body: string) => string;
  },
): Promise<readonly ContextText[]> {
  const shown: ContextText[] = [];
  let left: number = maxChars.all;
  for (const one of [...texts].reverse()) {
    if (one.author === undefined || shown.length >= maxComments) continue;
    const author = await nameOf(one.author);
    const text =
      author === undefined ? '' : shownText(context, { source: 'comment', text: one.body });
    if (author === undefined || text === '') continue;
    left -= text.length;
    if (left < 0) break;
    shown.push({ label: label(one), author, text: frame(one, text) });
  }
  return shown.reverse();
}

/** Address of the server whose attachments may be shown. */
export function getServer({ env }: Pick<RunInput, 'env'>): string {
  return env.GITHUB_SERVER_URL || 'https://github.com';
}

/** The images that the shown texts embed; undefined without any. */
export function findTaskImages(
  { input }: RepositoryContext,
  texts: readonly string[],
): Task['images'] {
  const images = findImages(texts, getServer(input));
  return images.length === 0 ? undefined : images;
}

/** The name of an author as the model sees it; undefined for one whose text it may not see. */
type NameOf = (author: Author) => Promise<string | undefined>;

/** Maximum number of people whose role is read. Text of further people is left out. */
const maxPeople = 25;

/** Judges the authors of one conversation. GitHub is asked once for each person. */
export function visibleAuthors(
  { github, settings, taskTexts }: RepositoryContext,
  opener: Author,
): NameOf {
  const { conversation } = settings;
  const roles = new Map<string, Promise<boolean>>();
  const isWriter = async (author: Author) => {
    const known = roles.get(author.login);
    if (known !== undefined || roles.size >= maxPeople) return known ?? false;
    const found = mayWrite(github, author);
    roles.set(author.login, found);
    return found;
  };
  return async author => {
    const { login } = author;
    if (conversation === 'off') return undefined;
    if (await isWriter(author)) return login;
    if (conversation === 'trusted') return undefined;
    const isOpener = author.type === 'User' && author.login === opener.login;
    if (isOpener) return taskTexts('by_author', { login });
    return conversation === 'all' ? taskTexts('by_stranger', { login }) : undefined;
  };
}
