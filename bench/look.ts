/**
 * Measures the second look (`review.own`): a scripted author delivers patches of known standing, and a model looks at them.
 * With `--answers DIR`, each look whose answer is not there is written to `DIR/ID.request.json`, and one that is there
 * (`DIR/ID.json`: the findings, as record_finding takes them) is played: a model can answer by files. Without it, the
 * endpoint of PHOTON_BASE_URL, PHOTON_MODEL and PHOTON_API_KEY is asked.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digest } from '../src/base/digest.ts';
import type { SecondLookResult } from '../src/base/findings.ts';
import { asObject } from '../src/base/schema-issue.ts';
import type { Body, ModelStep, ScriptedCall, ScriptedTurn } from '../test/doubles/model.ts';
import { row } from './figures.ts';
import { cases, type ProofCase } from './proof/cases.ts';
import { playPatch, scriptOf } from './proof/run.ts';
import { makePatches } from './repair/patches.ts';
import { readPrograms } from './repair/programs.ts';
import { readMessage, readRequest, tokensOf } from './tokens.ts';

type Reviewer = (
  body: Body,
  each: Pick<ProofCase, 'name' | 'base'>,
) => ModelStep | Promise<ModelStep>;

const turn = (...calls: readonly ScriptedCall[]): ScriptedTurn => ({
  text: 'The inputs that the tests leave out decide, so I compare what the diff makes of them.',
  calls,
});

const plan = {
  name: 'plan',
  arguments: {
    entry_symbols: ['diff'],
    affected_files: [],
    scope: 'attack the diff',
    max_changed_lines: 1,
  },
};
const finish = { name: 'finish', arguments: { reason: 'the diff was looked at' } };

/** Reads all files, then plays the findings of an answer; without one, the request is written, and nothing is found. */
function answerByFiles(folder: string): Reviewer {
  mkdirSync(folder, { recursive: true });
  return (body, { name, base }) => {
    // the name of a case says its standing
    const path = join(folder, digest(name).slice(0, 10));
    const replies = body.messages.filter(m => m.role === 'assistant').length;
    if (replies === 0) {
      const requests = Object.keys(base).map(file_path => ({
        file_path,
        start_line: 1,
        end_line: 200,
      }));
      return turn(
        plan,
        { name: 'list_project_files', arguments: {} },
        { name: 'read_code_block', arguments: { requests } },
      );
    }
    if (replies > 1) return turn(finish);
    if (!existsSync(`${path}.json`)) {
      writeFileSync(`${path}.request.json`, JSON.stringify(body.messages, null, 2));
      return turn(finish);
    }
    const findings = JSON.parse(readFileSync(`${path}.json`, 'utf8')) as readonly object[];
    return turn(...findings.map(each => ({ name: 'record_finding', arguments: each })), finish);
  };
}

/** Asks an endpoint, whose reply is played as it is. */
function askEndpoint({
  PHOTON_BASE_URL: url,
  PHOTON_MODEL: model,
  PHOTON_API_KEY: key,
}: NodeJS.ProcessEnv): Reviewer {
  if (url === undefined || model === undefined)
    throw new Error('Give --answers DIR, or PHOTON_BASE_URL and PHOTON_MODEL.');
  return async body => {
    const { stream_options: _, ...asked } = body;
    const reply = await fetch(`${url.replace(/\/$/, '')}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key ?? ''}` },
      body: JSON.stringify({ ...asked, model, stream: false }),
    });
    const { choices } = asObject(await reply.json()) as { choices?: readonly { message: Said }[] };
    const { content, tool_calls: calls = [] } = choices?.[0]?.message ?? {};
    return {
      text: content ?? '',
      calls: calls.map(c => ({ name: c.function.name, arguments: c.function.arguments })),
    };
  };
}

interface Said {
  readonly content?: string | null;
  readonly tool_calls?: readonly {
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

interface Looked {
  readonly standing: ProofCase['standing'];
  readonly name: string;
  readonly status: string;
  readonly look: SecondLookResult | undefined;
  readonly tokens: number;
}

async function play(each: ProofCase, reviewer: Reviewer): Promise<Looked> {
  const author = scriptOf(each);
  let [next, tokens] = [0, 0];
  const answer = async (body: Body): Promise<ModelStep> => {
    if (!JSON.stringify(body.messages).includes('Another agent has made the diff'))
      return author[Math.min(next++, author.length - 1)] ?? turn(finish);
    const reply = await reviewer(body, each);
    const said = readMessage({ role: 'assistant', content: JSON.stringify(reply) });
    tokens += tokensOf([...readRequest(body), said]);
    return reply;
  };
  const config = { review: { own: true }, verify: { budgetSeconds: 0 } };
  const { look, status } = await playPatch(each, config, answer);
  return { standing: each.standing, name: each.name, status, look, tokens };
}

/** Thirty wrong patches and thirty right ones: those of the proof, and one or two of each program of the engine. */
async function listPatches(): Promise<readonly ProofCase[]> {
  const planted = await Promise.all(
    readPrograms().map(async (program, i) =>
      (await makePatches(program)).filter(c => c.standing === 'wrong' || i % 4 === 0),
    ),
  );
  const own = cases.filter(c => /^(?:right|well-tested|too-large|wrong)$/.test(c.standing));
  return [...own, ...planted.flat()];
}

/** Prints for each patch what its look showed, and for wrong and right ones how many had a shown fault. */
export async function benchLook(words: readonly string[]): Promise<void> {
  const at = words.indexOf('--answers');
  const folder = at < 0 ? undefined : words[at + 1];
  const reviewer = folder === undefined ? askEndpoint(process.env) : answerByFiles(folder);
  const all: Looked[] = [];
  for (const each of await listPatches()) {
    const looked = await play(each, reviewer);
    all.push(looked);
    const { shown = [], unshown = 0, cut = '' } = looked.look ?? {};
    row(
      looked.name,
      looked.look === undefined
        ? `no look: ${looked.status}`
        : `${shown.length} shown, ${unshown} not shown ${cut}`,
      `${looked.tokens} tokens`,
    );
  }
  for (const [what, some] of Object.entries(
    Object.groupBy(all, l => (l.standing === 'wrong' ? 'wrong' : 'right')),
  )) {
    const accused = some.filter(({ look }) => (look?.shown ?? []).length > 0);
    const tokens = Math.round(some.reduce((sum, l) => sum + l.tokens, 0) / some.length);
    row(
      `${what} patches`,
      `${accused.length} of ${some.length} with a shown fault`,
      `${tokens} tokens a look`,
    );
  }
}
