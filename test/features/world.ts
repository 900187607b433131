/** One scenario's world: a real repository, a run of the built command line, a model that waits to be told. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AuditReport, auditLedger } from '../../src/audit/audit.ts';
import type { LedgerEntry } from '../../src/ledger/ledger.ts';
import type { InputName } from '../../src/settings/settings.ts';
import type { SkillCheck } from '../../src/skills/check-skill.ts';
import {
  readStoredSession,
  type StoredSession,
} from '../../src/workspace/session/session-store.ts';
import { answersOf } from '../doubles/answers.ts';
import {
  type Body,
  type ModelDouble,
  type ModelStep,
  type ScriptedTurn,
  startModel,
} from '../doubles/model.ts';
import { nameSampleTest, sampleFiles, sampleTask } from '../doubles/sample.ts';
import {
  checkoutIn,
  prepareRun,
  runIn,
  type TerminalEnd,
  terminalEnv,
} from '../doubles/terminal.ts';
import { policy as shipped } from '../guard/policies.ts';
import { canary, discard, fingerprint, makeFolder } from '../harness.ts';

type Result = Pick<TerminalEnd, 'outcome' | 'diff'>;

/** A request to the model that waits for its answer. */
interface Asked {
  readonly body: Body;
  readonly answer: (step: ModelStep) => void;
}

export class World {
  readonly files: Record<string, string> = { ...sampleFiles };
  readonly links: Record<string, string> = {};
  readonly inputs: Partial<Record<InputName, string>> = {};
  readonly env: Record<string, string> = {};
  readonly sent: ModelStep[] = [];
  readonly log: string[] = [];
  task = sampleTask;
  /** What checks of skills came to. */
  checks: readonly SkillCheck[] = [];
  readonly #folder = makeFolder();
  readonly #leave: (() => readonly string[])[] = [];
  #model: ModelDouble | undefined = undefined;
  #run: Promise<Result> | undefined = undefined;
  #result: Result | undefined = undefined;
  #asked: Asked | undefined = undefined;
  #wake: () => void = () => {};
  #before = '';

  get folder(): string {
    return this.#folder;
  }

  get checkout(): string {
    return checkoutIn(this.#folder);
  }

  /** What is to be done at the end of the scenario; it names what was wrong. */
  leave(work: () => readonly string[]): void {
    this.#leave.push(work);
  }

  /** Makes the repository and starts the run, up to its first request or its end. */
  async start(): Promise<void> {
    if (this.#run !== undefined) return;
    prepareRun(this.#folder, this);
    this.#before = fingerprint(this.checkout);
    this.#model = await startModel(body => new Promise(answer => this.#ask({ body, answer })));
    const options = {
      task: this.task,
      'test-command': nameSampleTest(this.files['package.json'], this.files['.photon/config.json']),
      ...this.inputs,
    };
    const env = terminalEnv(join(this.#folder, 'home'), this.#model.url);
    this.#run = runIn(this.#folder, options, { ...env, ...this.env }).then(end => {
      this.log.push(...end.log.split('\n').slice(0, -1));
      this.#result = end;
      this.#wake();
      return end;
    });
    await this.#settled();
  }

  /** Answers the request that waits with a turn; goes on to the next request or the end. */
  async turn(turn: ScriptedTurn): Promise<void> {
    await this.start();
    const asked = this.#asked;
    if (asked === undefined) throw new Error(`the run has ended: ${this.#result?.outcome.code}`);
    this.#asked = undefined;
    this.sent.push(turn);
    asked.answer(turn);
    await this.#settled();
  }

  /** One round with one call. */
  async call(name: string, args: object | string, text = thought): Promise<void> {
    await this.turn({ text, calls: [{ name, arguments: args }] });
  }

  get ended(): boolean {
    return this.#result !== undefined;
  }

  /** The result; a run that still goes on is told to stop first. */
  async result(): Promise<Result> {
    await this.start();
    while (this.#result === undefined)
      await this.call('abstain', { reason: 'The scenario is over.' });
    return this.#result;
  }

  /** What the model was sent last, or sent at all. */
  get request(): Body {
    const body = this.#asked?.body ?? this.#model?.requests.at(-1)?.body;
    if (body === undefined) throw new Error('nothing was asked of the model');
    return body;
  }

  get requests(): number {
    return this.#model?.requests.length ?? 0;
  }

  /** Texts of the tool results that came back since the last turn. */
  get answers(): readonly string[] {
    return answersOf(this.request);
  }

  get systemPrompt(): string {
    return String(this.request.messages[0]?.content);
  }

  ledgerText(): string {
    const out = join(this.#folder, 'out');
    const texts = readdirSync(out)
      .map(name => readFileSync(join(out, name, 'ledger.jsonl'), 'utf8'))
      .sort((a, b) => b.length - a.length);
    return texts[0] ?? '';
  }

  /** The session that is kept on disk. */
  storedSession(): StoredSession {
    const out = join(this.#folder, 'out');
    const [name = ''] = readdirSync(out).filter(n => existsSync(join(out, n, 'session.db')));
    return readStoredSession(join(out, name, 'session.db'));
  }

  entries(): readonly LedgerEntry[] {
    return this.ledgerText()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line) as LedgerEntry);
  }

  /** Entries of tool calls, in order. */
  calls(): readonly LedgerEntry[] {
    return this.entries().filter(e => e.call !== undefined);
  }

  audit(): AuditReport {
    return auditLedger(this.ledgerText(), { shipped, complete: this.ended });
  }

  get hostUntouched(): boolean {
    return fingerprint(this.checkout) === this.#before;
  }

  /** Ends what still runs, and checks what must hold after every scenario. */
  async close(): Promise<readonly string[]> {
    const problems: string[] = [];
    try {
      if (this.#run !== undefined) {
        const { outcome } = await this.result();
        if (!this.hostUntouched) problems.push('the checkout was changed');
        const { finding } = this.audit();
        if (finding !== undefined) problems.push(`the trace deviates: ${JSON.stringify(finding)}`);
        if (this.entries().at(-1)?.hash !== outcome.ledger.head)
          problems.push('the outcome does not name the head of the ledger');
        if (this.ledgerText().includes(canary)) problems.push('the ledger holds the key');
      }
      problems.push(...(this.#model?.violations ?? []), ...this.#leave.flatMap(l => l()));
    } finally {
      await this.#model?.close();
      discard(this.#folder);
    }
    return problems;
  }

  #ask(asked: Asked): void {
    this.#asked = asked;
    this.#wake();
  }

  /** Resolves when a request waits or the run has ended. */
  async #settled(): Promise<void> {
    if (this.#asked !== undefined || this.#result !== undefined) return;
    await Promise.race([
      new Promise<void>(done => {
        this.#wake = done;
      }),
      this.#run?.then(() => {}),
    ]);
  }
}

/** What the agent says before its calls; nobody else may ever read it. */
export const thought =
  'I need this for the very next step of my secret reasoning. It tells me where the line stands.';
