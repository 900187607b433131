/** The command lines of a record, in whichever protocol its replies call. */

import type { RunRecord } from '../agent/run/record.ts';
import type { Turn } from '../model/turn.ts';
import { decodeReply } from '../model/xml.ts';
import { grammarOf } from '../model/xml-grammar.ts';
import { tools } from '../tools/index.ts';

/** The command lines that a replay of this record would run, each once. */
export function commandsOf({ inputs, turns }: RunRecord): readonly string[] {
  const grammar = grammarOf(tools.map(t => t.definition));
  const linesOf = (turn: Turn): readonly string[] => {
    const native = turn.calls.flatMap(lineOf);
    const read = decodeReply(turn, grammar);
    if ('turn' in read) return [...native, ...read.turn.calls.flatMap(lineOf)];
    // a run offers fewer tools than all, and may read what is refused here
    return /<\s*run_command/i.test(turn.text) ? [...native, turn.text] : native;
  };
  const named = [inputs['setup-command'] ?? '', inputs['test-command'] ?? ''];
  const all = [...named, ...turns.flatMap(linesOf)].map(l => l.trim());
  return [...new Set(all)].filter(l => l !== '');
}

/** The line that a call asks for; none for another tool, and for arguments that the tool refuses. */
function lineOf({ name, argumentsText }: Turn['calls'][number]): readonly string[] {
  if (name !== 'run_command') return [];
  try {
    const { command } = JSON.parse(argumentsText) as { command?: unknown };
    return typeof command === 'string' ? [command] : [];
  } catch {
    return [];
  }
}
