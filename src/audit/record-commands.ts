/** The command lines in a recorded run, whichever protocol its model used. */
import { asObject, parseJson } from '../base/schema-issue.ts';
import { decodeReply } from '../model/protocols/xml.ts';
import { buildGrammar } from '../model/protocols/xml-grammar.ts';
import type { Turn } from '../model/turn.ts';
import { tools } from '../tools/index.ts';
import type { RunRecord } from './record.ts';

/** The distinct command lines that a replay of this record would run. */
export function listCommands({ inputs, turns }: RunRecord): readonly string[] {
  const grammar = buildGrammar(tools.map(t => t.definition));
  const listLines = (turn: Turn): readonly string[] => {
    const native = turn.calls.flatMap(readCommandLine);
    const read = decodeReply(turn, grammar);
    if ('turn' in read) return [...native, ...read.turn.calls.flatMap(readCommandLine)];
    // a run offers only some of the tools, so its decoder may accept a reply that this one rejects
    return /<\s*run_command/i.test(turn.text) ? [...native, turn.text] : native;
  };
  const named = [inputs['setup-command'] ?? '', inputs['test-command'] ?? ''];
  const all = [...named, ...turns.flatMap(listLines)].map(l => l.trim());
  return [...new Set(all)].filter(l => l !== '');
}

/** The command line of a call; none for another tool or for invalid arguments. */
function readCommandLine({ name, argumentsText }: Turn['calls'][number]): readonly string[] {
  if (name !== 'run_command') return [];
  const { command } = asObject(parseJson(argumentsText));
  return typeof command === 'string' ? [command] : [];
}
