/** Attacks on the record of a run: one thing of it is forged, and the ledger is sealed again from its first entry. */
import type { Outcome } from '../../src/base/outcome.ts';
import { judgeLedger } from '../../src/cli/commands/audit.ts';
import { openShipped } from '../../src/workspace/trusted/shipped.ts';
import { type Forgeable, forgeLedger } from '../doubles/forge.ts';
import { repairScript } from '../doubles/sample.ts';
import { root } from '../harness.ts';
import { type Attack, throughAction } from './attack.ts';

type Json = Record<string, unknown>;

interface Forgery {
  readonly name: string;
  readonly attack: string;
  /** Changes the entries of the ledger. */
  readonly ledger?: (find: (tool: string) => Json, entries: readonly Forgeable[]) => void;
  /** Changes the outcome beside it. */
  readonly outcome?: (outcome: Outcome) => void;
}

const named = 'The audit derives the outcome from the ledger again, and names each difference';

const forged = ({ name, attack, ledger, outcome: edit }: Forgery): Attack => ({
  id: `records/${name}`,
  attack,
  wall: named,
  codes: ['COMMITTED'],
  play: setup =>
    throughAction(setup, { script: repairScript }, ({ ledgerText, outcome }) => {
      const text = forgeLedger(ledgerText, entries =>
        ledger?.(tool => entries.find(e => e.tool === tool) ?? {}, entries),
      );
      const last = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { hash: string };
      const shown = structuredClone({ ...outcome, ledger: { ...outcome.ledger, head: last.hash } });
      edit?.(shown);
      const run = { ledger: text, outcome: JSON.stringify(shown) };
      const { finding } = judgeLedger(run, openShipped(root)).report;
      return finding === undefined ? 'a record that the audit takes for its own' : undefined;
    }),
});

const rules = (start: Json) => (start.policy as { constitution: { limits: Json } }).constitution;

export const recordAttacks: readonly Attack[] = [
  forged({
    name: 'raised-limits',
    attack: 'The limits in the first entry are raised, and the ledger is sealed again',
    ledger: find => Object.assign(rules(find('run.start')).limits, { active_skills: 99 }),
  }),
  forged({
    name: 'longer-task-paths',
    attack: 'The task names one more path than its text',
    ledger: find =>
      (find('run.evidence').initial as { taskPaths: string[] }).taskPaths.push('src/other.js'),
  }),
  forged({
    name: 'emptied-paths',
    attack: 'The entry of a read names no path any more',
    ledger: find => Object.assign(find('read_code_block'), { paths: [] }),
  }),
  forged({
    name: 'backwards-time',
    attack: 'An entry is older than the one before it',
    ledger: (_, entries) =>
      Object.assign(entries.at(-2) ?? {}, { time: '2020-01-01T00:00:00.000Z' }),
  }),
  forged({
    name: 'another-caller',
    attack: 'Every entry names another person who started the run',
    ledger: (_, entries) => {
      for (const entry of entries) entry.caller = 'mallory';
    },
  }),
  forged({
    name: 'another-model',
    attack: 'The outcome names another model',
    outcome: outcome => Object.assign(outcome, { model: 'gpt-99' }),
  }),
  forged({
    name: 'invented-guarantees',
    attack: 'The outcome names a guarantee of the sandbox that nobody probed',
    outcome: ({ sandbox }) =>
      (sandbox.guarantees as unknown as Json[]).push({ name: 'egress', holds: true }),
  }),
  forged({
    name: 'removed-flags',
    attack: 'The outcome loses the warnings of its verification',
    outcome: ({ verification }) =>
      Object.assign(verification ?? {}, { warnings: ['nothing to see'] }),
  }),
  forged({
    name: 'edited-message',
    attack: 'The outcome says something else of the patch',
    outcome: outcome => Object.assign(outcome, { message: 'All good.' }),
  }),
];
