/** Plays one tool in a context of the test, or several calls of a run through the whole engine. */
import type { Claim } from '../../src/guard/claim.ts';
import { openRunRecords, type RunRecords } from '../../src/memory/run-records.ts';
import type { Tool, ToolContext, ToolResult } from '../../src/tools/tool.ts';
import { openFullText } from '../../src/workspace/stores/full-text.ts';
import { type EngineOptions, openEngine } from '../doubles/engine.ts';
import type { ScriptedCall } from '../doubles/model.ts';
import { evidence } from '../guard/judged.ts';
import { policy } from '../guard/policies.ts';
import { adding, byOn, day, home, recordsAfter } from '../memory/making.ts';

/** What came of a call: its problems, or its claims and its result. */
type Called = Partial<ToolResult> & {
  readonly problems?: readonly string[];
  readonly claims?: readonly Claim[];
};

/** Calls one tool with what it uses of a run. */
export async function callTool(
  tool: Tool,
  args: object,
  given: Partial<ToolContext> = {},
): Promise<Called> {
  const parsed = tool.parse(args);
  if (!parsed.ok) return { problems: parsed.problems };
  const context = {
    policy,
    evidence,
    scrub: (text: string) => text.replaceAll('s3cret', '***'),
    holdsSecret: (text: string) => text.includes('s3cret'),
    ...given,
  } as ToolContext;
  const problems = await parsed.call.problems(context);
  if (problems.length > 0) return { problems };
  return { claims: await parsed.call.claims(context), ...(await parsed.call.run(context)) };
}

/** The evidence and the policy of these calls, to be given with changes. */
export const usual = { evidence, policy };

/** The records of a run, with one note, for as long as the work takes. */
export async function withRunRecords(
  work: (runRecords: RunRecords, id: string) => Promise<void>,
): Promise<void> {
  const index = openFullText();
  try {
    const records = recordsAfter([adding('Retries are bounded to three.', { title: 'Retries' })]);
    const [id = ''] = records.keys();
    await work(
      openRunRecords({ home, by: byOn(30), records, index, nowMs: Date.parse(day(30)) }),
      id,
    );
  } finally {
    index.close();
  }
}

const call = (name: string, args: object): ScriptedCall => ({ name, arguments: args });

/** What a run does before it may call any tool: a skill, and a plan for these files. */
export const opening = (...files: string[]): readonly ScriptedCall[] => [
  call('skill_activate', { skill_name: 'code-modify' }),
  call('plan', { entry_symbols: ['a'], affected_files: files, scope: 's', max_changed_lines: 50 }),
];

/** Plays calls as a run of their own. @returns the texts of their results, and the entries of the ledger for them. */
export async function playCalls(
  options: Omit<EngineOptions, 'passes'>,
  calls: readonly (readonly [name: string, args: object])[],
) {
  const files = Object.keys(options.files);
  const bench = await openEngine({ passes: () => true, ...options });
  try {
    const first = opening(...files, 'new.js');
    const all = [...first, ...calls.map(([name, args]) => call(name, args))];
    const played = await bench.play(all.map(c => ({ text: 'It is needed.', calls: [c] })));
    const texts = played.messages.flatMap(m => (m.role === 'tool' ? [m.text] : []));
    const called = new Set(all.map(c => c.name));
    const operations = played.entries.filter(e => called.has(e.tool)).slice(first.length);
    return { ...played, texts: texts.slice(first.length), operations };
  } finally {
    bench.close();
  }
}
