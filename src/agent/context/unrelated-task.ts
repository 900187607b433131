/** Finds tasks that clearly have nothing to do with the repository, such as "Book a flight". In doubt, a task goes on. */
import { codes } from '../../base/codes.ts';
import type { Ending } from '../../base/outcome.ts';
import type { Task } from '../../base/task.ts';
import type { Skill } from '../../skills/skill.ts';
import { stemWord } from '../../skills/skill-prompt.ts';
import { availableSkills } from '../../tools/abstain.ts';
import type { Session } from '../../workspace/session/session.ts';

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** English words that say nothing about a task. */
const fillers =
  list(`a an the this that these those my your our their his her its i you he she we they me him us them
  is are was were be been am do does did have has had will would can could should may might must to of in on at by for
  from with into about after before and or but if then than so as not no please some any all each every there here what
  which who whose when where why how just also too very more most other another next today tomorrow tonight yesterday
  now again up down out over it one two three something someone best`);

/** Words that occur in English and in no other language that is often written without accents. */
const english =
  list(`the this that these those my your our their its you they them are were have has would could should
  might must of for from with about after before and please every what which who whose when where why how tomorrow
  tonight yesterday book order buy reserve rent hire cook remind`);

/** Common words of other languages: such a task cannot be compared with an English repository. */
const otherLanguages =
  list(`de la el los las un una que en il lo gli di che per non le les des du et est dans pour avec
  sur une der das und ist nicht ein eine den dem zu auf von mit bei os um uma da ao com para het een van voor niet och
  att det som med av og til jest nie`);

/** Words of software and of ordinary work on it. A task with one of them may be meant. */
const software = `accept access bill cart charge checkout customer invoice offer pay payment sell ship add adjust admin align allow analyse analyze animate annotate answer api app apply archive
  argument array async audit author automate avoid backup badge badge bar benchmark better block body boolean box branch
  break broken browser buffer bug build bump button byte cache calculate calculation call cancel case change character
  chart chat check class clean clear cli click client clone close cloud code collect color colour column command comment
  commit compare compile complete component compress compute config configure connect console content continue contribute
  controller convert cookie copy correct count coverage crash create css currency custom cut dark dashboard data database
  date dead debug declare decode decrease default define delay delete dependency deploy deprecate describe design detail
  detect device dialog diff disable discount display divide docker document domain done download draw drop duplicate edit
  editor email empty enable encode encrypt endpoint engine enhance ensure enter entry enum environment error escape
  evaluate event example exception exclude exit expand expect explain explore export expose express extend extension
  extract fail failure faster feature fetch field figure file fill filter find finish fix flag flaky flow focus folder
  font footer form format frame framework frontend function game generate get git go grammar graph green greet group
  guard guide handle hang header hello help hide history hook host html icon id identify ignore image implement import
  improve include increase index info init inline input insert inspect install instance integrate interface invalid
  invert investigate issue item iterate java javascript job join json keep key keyboard kotlin label language large latency launch
  layout leak left length less level lib library license limit line link lint list listen load local locale lock log login
  logo look loop lower make manage map mark match math max measure memory mend menu merge message method metric migrate min
  minify missing mobile mock mode model modify module monitor move multiply name navigate network node normalise normalize
  note notify null number object offset old open optimise optimize option organise organize output overflow package page
  paginate panel parallel parameter parse part password patch path pattern pause percent perform performance permission
  persist php pin pipeline plan platform play plugin policy port post prefix prepare preserve prevent preview print
  problem process product profile program project prompt property protect provide proxy publish push python query queue
  quick react read readable readme record rectify red reduce refactor refresh regex register regression reject release reload remove
  rename render reorder reorganise reorganize repair repeat replace repo report repository reproduce request require reset
  resize resolve response restore restrict result resume retry return reuse revert review rewrite right rotate round route
  row rule run rust safe sample save scale scan schema score screen script scroll search secret section security select
  send separate serialise serialize server service session set setting setup share shell short show shrink simplify site
  size skip slow snapshot socket solve sort source space speed spell split sql stack stage standard start state static
  status step stop store stream strict string structure style submit subtract suggest suite sum summarise summarize summary
  support suppress switch symbol sync syntax system tab table tag task team template terminal test text theme think thread
  throttle throw tidy time timeout title todo toggle token tool tooltip total trace track trailing transform translate
  tree trigger trim truncate turn tutorial type typo ui undo unify unit unused update upgrade upload url use user validate
  value variable verify version view visit vulnerability wait warn warning watch web website whitespace widget width window
  work workflow wrap write wrong xml yaml zero zip`;

/** Signs of code, paths, names and numbers, and letters of other scripts. */
const cannotTell = /[^\x20-\x7e\s]|[`_#@$=(){}<>[\]\\/|*0-9]|[a-z][A-Z]|"|\w\.\w/;

/** Maximum characters of a request that is judged, and maximum files of a repository that is searched. */
const max = { text: 300, files: 20_000 } as const;

/**
 * The words of a task that are worth a search: none of them belongs to software. Undefined for a task that code
 * cannot judge, such as one in another language or with a name in it.
 */
export function wordsToFind({
  prompt,
  title = '',
  context,
}: TaskTexts): readonly string[] | undefined {
  const text = [prompt, title, ...context.map(c => c.text)].join('\n').replaceAll('’', "'").trim();
  if (text.length > max.text || cannotTell.test(text)) return undefined;
  const all = text.toLowerCase().match(/[a-z]+/g) ?? [];
  if (!all.some(w => english.has(w)) || all.some(w => otherLanguages.has(w))) return undefined;
  const words = [...new Set(all.filter(w => !fillers.has(w) && !/^(?:s|t|re|ll|ve|d|m)$/.test(w)))];
  const known = new Set(software.split(/\s+/).map(stemWord));
  const isPlausible = (w: string) => w.length < 3 || known.has(stemWord(w)) || known.has(w);
  return words.length === 0 || words.some(isPlausible) ? undefined : words;
}

type TaskTexts = Pick<Task, 'prompt' | 'title' | 'context'>;

/** What a task is compared with. */
export interface Repository {
  readonly skills: readonly Skill[];
  readonly session: Pick<Session, 'files' | 'grep'>;
}

/**
 * The ending of a task of which no word occurs in a path, a file or a skill of the repository; undefined for every
 * other task. It is found before a model is asked.
 */
export async function findUnrelated(
  task: Pick<Task, 'prompt' | 'title' | 'context' | 'background' | 'place' | 'approved'>,
  { skills, session }: Repository,
): Promise<Ending | undefined> {
  const isExplained = (task.background ?? []).length > 0;
  const words = task.place || task.approved || isExplained ? undefined : wordsToFind(task);
  if (words === undefined) return undefined;
  const stems = words.map(stemWord);
  const paths = (await session.files()).map(f => f.path);
  if (paths.length === 0 || paths.length > max.files) return undefined;
  const named = [...paths, ...skills.map(s => `${s.name} ${s.description}`)]
    .join('\n')
    .toLowerCase();
  if (stems.some(stem => named.includes(stem))) return undefined;
  const query = { folder: '', fixed: true, ignoreCase: true, matchesOnly: true, patterns: stems };
  const { hits, cut } = await session.grep(query);
  if (cut || hits.length > 0) return undefined;
  const { meaning: message } = codes.NO_SKILL_FITS;
  const names = skills.map(s => s.name);
  const lookedFor = `Looked for, and found in no path, file or skill: ${words.join(', ')}.`;
  const statement = `${lookedFor}\n${availableSkills(names)}`;
  return { status: 'abstained', code: 'NO_SKILL_FITS', phase: 'INPUT', message, statement };
}
