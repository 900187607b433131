/** A run: what it works with, and what it has come to. */
import { randomBytes } from 'node:crypto';
import { redactSecrets } from '../../guard/secrets.ts';
import { type Ledger, openLedger } from '../../ledger/ledger.ts';
import type { BuiltinModel } from '../../repair/engine.ts';
import type { Task } from '../../task.ts';
import type { FileChange } from '../../workspace/files/change.ts';
import { openRunFolder, type RunFolder } from '../../workspace/files/run-folder.ts';
import type { Policy } from '../context/policy.ts';
import type { Ground, RunInput } from './run-input.ts';
import type { Execution } from './run-loop.ts';

export interface Walk extends Execution {
  readonly input: RunInput;
  /** Null when the run ended before there was ground to stand on. */
  readonly ground: Ground | null;
  readonly task: Task | null;
  readonly folder: RunFolder;
  readonly ledger: Ledger;
  readonly id: string;
  readonly startedAt: number;
  policy: Policy | null;
  tree: string;
  /** Called as a round begins, with its number. */
  onRound: ((round: number) => void) | null;
  /** Head of the task's branch as the run saw it when it began; undefined when it did not look. */
  startedFrom: Promise<string | null | undefined> | undefined;
  /** What the base moved by since the checkout, when the patch was applied to the newer one. */
  drift: readonly FileChange[];
  notes: readonly string[];
  /** What a person approves the plan of this run by; empty when there is nothing to approve. */
  planDigest: string;
  /** The embedded engine, when it drives the run. */
  builtin: BuiltinModel | null;
}

/** Starts a walk with a folder and a ledger of its own. Throws PhotonError `DISK`. */
export function openWalk(input: RunInput, ground: Ground | null, task: Task | null): Walk {
  const id = `${new Date(input.now()).toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(4).toString('hex')}`;
  const folder = openRunFolder(input.tempRoot, id);
  const ledger = openLedger({
    path: folder.ledgerPath,
    run: id,
    caller: input.actor || 'local',
    now: input.now,
    // no pattern character, since a path is judged again from the ledger
    scrub: text => (ground === null ? text : redactSecrets(text, ground.secrets, '(secret)')),
  });
  const about = { input, ground, task, folder, ledger, id, startedAt: input.now() };
  return {
    ...about,
    policy: null,
    services: null,
    store: null,
    progress: null,
    memory: null,
    tree: '',
    onRound: null,
    startedFrom: undefined,
    drift: [],
    notes: [],
    planDigest: '',
    builtin: null,
  };
}
