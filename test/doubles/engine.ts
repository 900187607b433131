/** The real loop, guard, tools and session in this process; model, tests and commands are scripted. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openConversation } from '../../src/agent/context/conversation.ts';
import { sharedPrompts } from '../../src/agent/context/policy.ts';
import { type Profile, parseProfile } from '../../src/agent/context/profile.ts';
import { openSkills } from '../../src/agent/context/skills.ts';
import { lastPhase } from '../../src/agent/limits/phases.ts';
import { runAgent } from '../../src/agent/loop/loop.ts';
import { type LoopState, startLoop } from '../../src/agent/loop/loop-state.ts';
import { PhotonError } from '../../src/base/codes.ts';
import { initialEvidence } from '../../src/guard/evidence.ts';
import type { Constitution } from '../../src/guard/policy/constitution.ts';
import { parseConstitution } from '../../src/guard/policy/parse-constitution.ts';
import { findSecret, secretForms } from '../../src/guard/secrets/secrets.ts';
import { type LedgerEntry, mark, openLedger } from '../../src/ledger/ledger.ts';
import { Ram } from '../../src/memory/ram.ts';
import { States } from '../../src/memory/states.ts';
import { openNativeProtocol } from '../../src/model/protocols/protocol.ts';
import { openXmlProtocol } from '../../src/model/protocols/xml.ts';
import type { Message, Model, ModelRequest, Turn } from '../../src/model/turn.ts';
import { type Navigator, openNavigator } from '../../src/navigation/navigator.ts';
import { lookupSource } from '../../src/navigation/open-navigation.ts';
import { openSymbols, type Symbols } from '../../src/navigation/symbols.ts';
import { openSyntaxChecker } from '../../src/navigation/syntax/syntax.ts';
import { findPrograms } from '../../src/process/programs.ts';
import type { CommandView } from '../../src/sandbox/command-view.ts';
import { loadSkills } from '../../src/skills/load.ts';
import { tools } from '../../src/tools/index.ts';
import type { RemadeLocks } from '../../src/tools/tool.ts';
import type { VerificationResult } from '../../src/verify/prove-verdict.ts';
import type { FileChange } from '../../src/workspace/files/change.ts';
import { type Git, openGit } from '../../src/workspace/git/git.ts';
import { openSession, type Session } from '../../src/workspace/session/session.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { openFolderFiles } from '../../src/workspace/trusted/trusted-files.ts';
import { canary, makeFolder, profile as profileName, root } from '../harness.ts';
import { type ScriptedTurn, sayAnew } from './model.ts';
import { makeRepository, type RepositoryContent } from './repository.ts';
import { xmlText } from './xml-text.ts';

/** The result of one sequence. */
export interface Played {
  /** Status and code, or the code of the error that ended it. */
  readonly ending: string;
  readonly ledgerText: string;
  readonly entries: readonly LedgerEntry[];
  readonly changes: readonly FileChange[];
  readonly patchDigest: string;
  /** Every message of the conversation at its end. */
  readonly messages: readonly Message[];
  /** Digest of the patch at each verification that passed. */
  readonly proven: readonly string[];
}

export interface EngineDouble {
  readonly checkout: string;
  readonly policy: Constitution;
  play(turns: readonly ScriptedTurn[]): Promise<Played>;
  close(): void;
}

export interface EngineOptions extends RepositoryContent {
  /** Does the patched project pass its tests? */
  readonly passes: (text: (path: string) => string) => boolean;
  readonly taskPaths?: readonly string[];
  /** Agent profile; default: the profile of the test run. */
  readonly profile?: string;
  /** What the model sees besides its rules; default: as the profile says. */
  readonly memory?: Profile['memory'];
  /** Allowlist; folders are those of the checkout. Default: the bundled skills. */
  readonly skillRoots?: readonly string[];
  /** Context window in tokens; default: none. */
  readonly window?: number;
  /** What happens to a look that lacks a step; default: as the constitution says. */
  readonly reads?: Constitution['reads'];
  /** Called with each request, and what the run knows then. */
  readonly onRequest?: (request: ModelRequest, state: LoopState) => void;
  /** Errors that a language server reports about written files; default: none. */
  readonly errors?: Navigator['errors'];
  /** Makes the lock files of a merge anew; default: there are none. */
  readonly remakeLocks?: (session: Session) => Promise<RemadeLocks>;
}

/** Opens a repository for many sequences of turns. Each gets its own session. */
export async function openEngine(options: EngineOptions): Promise<EngineDouble> {
  const folder = makeFolder();
  const checkout = join(folder, 'checkout');
  makeRepository(checkout, options);
  mkdirSync(join(folder, 'scratch'));
  const git = await openGit(checkout, {
    scratch: join(folder, 'scratch'),
    programs: findPrograms(process.env.PATH ?? '', []),
  });
  const shipped = openShipped(root);
  const stated = parseConstitution(shipped.constitution, 'constitution/photon.md');
  const policy = { ...stated, reads: options.reads ?? stated.reads };
  const shippedOne = shippedProfile(options.profile);
  const profile = { ...shippedOne, memory: options.memory ?? shippedOne.memory };
  const skillSource = {
    photon: shipped.skills,
    repository: openFolderFiles(checkout),
  };
  const { skills } = await loadSkills(options.skillRoots ?? ['photon:*'], skillSource);
  const allowed = {
    skills,
    leftOutSkills: new Map<string, string>(),
    skillSource,
    profile,
  };
  const context: EngineContext = {
    allowed,
    git,
    policy,
    profile,
    symbols: openSymbols(shipped),
    folder,
    options,
  };
  let played = 0;
  return {
    checkout,
    policy,
    play: turns => {
      played += 1;
      return playOne(context, turns, played);
    },
    close: () => {
      git.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A profile that Photon ships; default: the profile of this test run. */
export function shippedProfile(name: string = profileName): Profile {
  const shipped = openShipped(root);
  const file = (of: string) => ({ path: of, text: shipped.prompt(of) ?? '' });
  const names = tools.map(t => t.name);
  return parseProfile(file(name), sharedPrompts(shipped), names);
}

interface EngineContext {
  readonly allowed: Parameters<typeof openSkills>[0];
  readonly git: Git;
  readonly policy: Constitution;
  readonly profile: Profile;
  readonly symbols: Symbols;
  readonly folder: string;
  readonly options: EngineOptions;
}

const secrets = secretForms([canary]);

async function playOne(
  context: EngineContext,
  turns: readonly ScriptedTurn[],
  n: number,
): Promise<Played> {
  const { git, policy, profile, symbols, folder, options } = context;
  const session = openSession(git);
  const path = join(folder, `ledger-${n}.jsonl`);
  const ledger = openLedger({ path, run: 'run', caller: 'c', now: () => 0, scrub: t => t });
  const toolNames = tools.map(t => t.name);
  const skills = await openSkills(context.allowed, { task: '', tools: toolNames });
  const coreTools = tools.filter(t => t.core).map(t => t.name);
  const initial = {
    taskPaths: options.taskPaths ?? [],
    coreTools,
    verificationWaived: false,
    allowedSkills: skills.names(),
    unreadySkills: Object.fromEntries(skills.unready()),
  };
  ledger.append({
    ...mark('run.start', {}),
    policy: { constitution: { ...policy, prose: '' }, violations: 0 },
  });
  ledger.append({ ...mark('run.evidence', {}), initial });
  const state = startLoop(initialEvidence(initial));
  state.window = options.window;
  const model = scripted(turns, profile.protocol, request => options.onRequest?.(request, state));
  const proven: string[] = [];
  const verify = async (): Promise<VerificationResult> => {
    const text = new Map<string, string>();
    for (const { path: file } of await session.files()) {
      const state = await session.state(file);
      text.set(file, Buffer.from(state?.bytes ?? []).toString());
    }
    const passed = options.passes(file => text.get(file) ?? '');
    const patchDigest = session.patchDigest();
    if (passed) proven.push(patchDigest);
    return answerOf(passed, patchDigest);
  };
  let ending: string;
  let status: Parameters<typeof lastPhase>[0] = 'failed';
  const ram = new Ram({ entries: 64, bytes: 16_384 });
  const states = new States();
  const settings = {
    maxRounds: 1000,
    maxTokens: 1e9,
    maxCost: undefined,
    modelPrices: {},
    maxOutputTokens: 1000,
    violations: 0,
  };
  const request = {
    task: { id: 'task', repository: 'acme/shop' },
    ledger,
    limit: { signal: new AbortController().signal, deadline: Number.MAX_SAFE_INTEGER },
    input: { now: () => 0, log: { line: () => {}, group: () => {} } },
  };
  try {
    const ended = await runAgent({
      state,
      request,
      policy: { constitution: policy, profile, settings },
      loop: {
        model,
        tools,
        context: {
          task: 'Task',
          mcp: undefined,
          ram,
          states,
          session,
          symbols,
          policy,
          skills,
          coreTools,
          verify,
          remakeLocks:
            options.remakeLocks && (async () => options.remakeLocks?.(session) ?? { made: [] }),
          commands: noCommands,
          pullDiff: undefined,
          records: undefined,
          findings: undefined,
          report: undefined,
          holdsSecret: (text: string) => findSecret(text, secrets),
          navigator: {
            ...openNavigator(lookupSource(session, symbols), undefined),
            ...(options.errors ? { errors: options.errors } : {}),
          },
          syntax: openSyntaxChecker(symbols, undefined),
          commandNetwork: false,
          scrub: t => t,
          signal: request.limit.signal,
        },
        systemPrompt: () => policy.prose,
        protocol: (profile.protocol === 'xml' ? openXmlProtocol : openNativeProtocol)(
          tools.map(t => t.definition),
        ),
        conversation: openConversation({
          profile,
          ram,
          taskPrompt: 'Task',
          mark: 'data-1',
          states: () => states.added(),
          isActive: activation => skills.lasts(activation),
          activeSkills: () => skills.getActiveSkillsPrompt(),
          cachePrices: { read: 0.1, write: 1.25 },
        }),
        keepRejected: () => {},
      },
    });
    ({ status } = ended);
    ending = `${ended.status} ${ended.code}`;
  } catch (error) {
    if (!(error instanceof PhotonError)) throw error;
    ending = `failed ${error.code}`;
  }
  const last = {
    ...mark('run.end', { status }),
    phase: lastPhase(status, state.evidence.phase),
  };
  ledger.append(last);
  ledger.close();
  const ledgerText = readFileSync(path, 'utf8');
  rmSync(path);
  return {
    ending,
    ledgerText,
    proven,
    messages: model.messages(),
    entries: ledgerText
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as LedgerEntry),
    changes: session.changes(),
    patchDigest: session.patchDigest(),
  };
}

/** Plays the turns, and gives up after the last one. */
function scripted(
  turns: readonly ScriptedTurn[],
  protocol: Profile['protocol'],
  onRequest: (request: ModelRequest) => void,
): Model & { messages(): readonly Message[] } {
  let next = 0;
  let said: ScriptedTurn | undefined;
  let seen: readonly Message[] = [];
  return {
    name: 'scripted',
    messages: () => seen,
    complete: async (request): Promise<Turn> => {
      onRequest(request);
      seen = request.messages;
      const turn: ScriptedTurn = sayAnew(turns[next] ?? giveUp, said, next);
      said = turn;
      next += 1;
      const calls = (turn.calls ?? []).map((c, i) => ({
        id: `${next}-${i}`,
        name: c.name,
        argumentsText: typeof c.arguments === 'string' ? c.arguments : JSON.stringify(c.arguments),
      }));
      // three bytes to a token, as Photon estimates a text that no endpoint has counted
      const usage = { inputTokens: Math.ceil(bytesSent(request) / 3), outputTokens: 1 };
      return protocol === 'xml'
        ? {
            text: xmlText(turn.text ?? '', turn.calls ?? []),
            calls: [],
            usage,
            finishReason: 'stop',
          }
        : { text: turn.text ?? '', calls, usage, finishReason: 'tool_calls' };
    },
  };
}

const giveUp: ScriptedTurn = {
  text: 'The script is over.',
  calls: [{ name: 'abstain', arguments: { reason: 'the script is over' } }],
};

function answerOf(passed: boolean, patchDigest: string): VerificationResult {
  const after = {
    command: 'test',
    exitCode: passed ? 0 : 1,
    limit: null,
    refusedConnections: null,
    durationMs: 0,
    outputTail: '',
    passed,
  };
  return {
    verification: { require: 'pass', passed, after, regressions: [], patchDigest },
    code: passed ? undefined : 'VERIFY_FAILED',
    message: passed ? 'Verification passed.' : 'Verification failed.',
  };
}

/** Runs no commands: only the guard's decision counts here. */
const noCommands: CommandView = {
  run: async () => ({
    exitCode: 0,
    signal: undefined,
    limit: undefined,
    refusedConnections: undefined,
    durationMs: 0,
    output: '',
    putBack: [],
    unexpectedWrites: [],
  }),
  close: () => {},
} as unknown as CommandView;

/** Bytes of a request as an OpenAI endpoint gets it. Photon knows more of a tool than it sends. */
export function bytesSent({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number {
  const sent = messages.map(m =>
    m.role === 'assistant'
      ? {
          role: m.role,
          content: m.text,
          tool_calls: m.calls.map(c => ({
            id: c.id,
            type: 'function',
            function: { name: c.name, arguments: c.argumentsText },
          })),
        }
      : { role: m.role, content: m.text, ...(m.role === 'tool' ? { tool_call_id: m.callId } : {}) },
  );
  const definitions = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  return Buffer.byteLength(JSON.stringify({ messages: sent, tools: definitions }));
}
