/** Attacks through an untrusted record: its settings and its commands. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { encodeCalls } from '../../src/model/protocols/xml.ts';
import { buildGrammar } from '../../src/model/protocols/xml-grammar.ts';
import { tools } from '../../src/tools/index.ts';
import type { ScriptedTurn } from '../doubles/model.ts';
import { begin, look, prove, repair, sampleTask } from '../doubles/sample.ts';
import { type EndAtTerminal, startAtTerminal } from './at-terminal.ts';
import { type Attack, type Benign, type Found, type Setup, textOf } from './attack.ts';

interface Record {
  readonly inputs?: Readonly<{ [name: string]: string }>;
  readonly turns: readonly ScriptedTurn[];
}

const calls = (name: string, args: object) => ({
  text: 'One call, to see what comes of it.',
  calls: [{ name, arguments: args }],
});
const command = (line: string) => calls('run_command', { command: line });
const stop = calls('abstain', { reason: 'this is all' });

/** Writes the record and replays it on a clone. */
async function replay(
  setup: Setup,
  { inputs = {}, turns }: Record,
  { flags = [], own }: { readonly flags?: readonly string[]; readonly own?: object } = {},
): Promise<EndAtTerminal> {
  const file = join(setup.folder, 'sent', 'replies.jsonl');
  const ownPath = join(setup.folder, 'home/.config/photon/config.json');
  for (const path of [file, ownPath]) mkdirSync(dirname(path), { recursive: true });
  if (own !== undefined) writeFileSync(ownPath, JSON.stringify(own));
  const header = {
    format: '1',
    run: 'sent',
    prompt: sampleTask,
    context: [],
    askedBy: 'somebody',
    inputs: { model: 'double', ...inputs },
  };
  const lines = turns.map(({ text = '', calls: made = [] }, i) => ({
    text,
    calls: made.map(({ name, arguments: args }, j) => ({
      id: `${i}-${j}`,
      name,
      argumentsText: JSON.stringify(args),
    })),
    usage: { inputTokens: 1, outputTokens: 1 },
    finishReason: 'tool_calls',
  }));
  writeFileSync(file, `${[header, ...lines].map(l => JSON.stringify(l)).join('\n')}\n`);
  writeFileSync(join(setup.folder, 'sent', 'ledger.jsonl'), '');
  return startAtTerminal(setup, {
    args: repo => ['replay', file, '--repo', repo, '--out', join(setup.folder, 'out'), ...flags],
    env: () => ({ APP_MODE: 'of-the-person' }),
  });
}

interface Row {
  readonly name: string;
  readonly attack: string;
  readonly record: (line: string) => Record;
  /** Given when the person allowed the commands: then the walls alone are what stops it. */
  readonly allowed?: boolean;
  readonly own?: object;
}

const asks =
  'Photon runs no command from a record that the repository does not contain, unless the user allows it';
const walls = 'A replay always runs in the sandbox, and no setting weakens it';

/** The command of the record leaves a mark on the machine. */
const marks = ({ name, attack, record, allowed = false, own }: Row): Attack => ({
  id: `replay/${name}`,
  attack,
  wall: allowed ? walls : asks,
  codes: allowed ? ['exit 1'] : ['REPLAY_COMMANDS'],
  play: async setup => {
    const mark = join(setup.folder, 'mark');
    const flags = allowed ? ['--allow-commands'] : [];
    const end = await replay(setup, record(`: > ${mark}`), { flags, ...(own ? { own } : {}) });
    return {
      got: textOf(mark) === undefined ? undefined : 'a file on the machine',
      code: end.ended,
    };
  },
});

/** The command of the record connects to a server of the attacker. */
const callsUp = ({ name, attack, record, own }: Row): Attack => ({
  id: `replay/${name}`,
  attack,
  wall: walls,
  codes: ['exit 1'],
  play: async (setup): Promise<Found> => {
    let allowedActors = 0;
    const server = createServer(socket => {
      allowedActors += 1;
      socket.destroy();
    });
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const line = `node -e "require('net').connect(${port},'127.0.0.1').on('error',()=>{}).on('close',()=>process.exit())"`;
    try {
      const options = { flags: ['--allow-commands'], ...(own ? { own } : {}) };
      const end = await replay(setup, record(line), options);
      return { got: allowedActors > 0 ? 'a connection out' : undefined, code: end.ended };
    } finally {
      server.close();
    }
  },
});

const none = { sandbox: 'none' };
const byTest = (line: string, inputs: object = none): Record => ({
  inputs: { ...inputs, 'test-command': line },
  turns: [begin, look, repair, prove, stop],
});
const bySetup = (line: string, inputs: object = none): Record => ({
  inputs: { ...inputs, 'setup-command': line },
  turns: [begin, look, repair, prove, stop],
});
const byCall = (line: string, inputs: object = none): Record => ({
  inputs: { ...inputs },
  turns: [begin, command(line), stop],
});
/** The same calls in the text of the replies. */
const byTags = (line: string): Record => ({
  inputs: { ...none, 'agent-profile': 'kjxlkj-agent' },
  turns: byCall(line).turns.map(({ text = '', calls: made = [] }) => ({
    text: `${text}\n${encodeCalls(
      made.map(c => ({ name: c.name, args: c.arguments as { [name: string]: unknown } })),
      buildGrammar(tools.map(t => t.definition)),
    )}`,
  })),
});
const open = { sandbox: { network: 'allow', env: ['APP_MODE'] } };

export const replays: readonly Attack[] = [
  marks({ name: 'test-command', attack: 'A record names its own test command', record: byTest }),
  marks({
    name: 'setup-command',
    attack: 'A record names its own set-up command',
    record: bySetup,
  }),
  marks({ name: 'run-command', attack: 'The replies of a record run a command', record: byCall }),
  marks({
    name: 'run-command-tags',
    attack: 'The replies of a record run a command through instruction tags',
    record: byTags,
  }),
  ...[
    { name: 'allowed-test-command', record: byTest },
    { name: 'allowed-setup-command', record: bySetup },
    { name: 'allowed-run-command', record: byCall },
    { name: 'allowed-run-command-tags', record: byTags },
  ].map(row =>
    marks({
      ...row,
      attack: 'A record sets sandbox: none, and the user allows its commands',
      allowed: true,
    }),
  ),
  callsUp({
    name: 'network-of-the-record',
    attack: 'A record sets network: allow, and its command calls out',
    record: line => byCall(line, { network: 'allow', sandbox: 'auto' }),
  }),
  callsUp({
    name: 'network-of-its-setup',
    attack: 'A record sets network: setup, and its set-up command calls out',
    record: line => bySetup(line, { network: 'setup', sandbox: 'auto' }),
  }),
  callsUp({
    name: 'network-of-the-person',
    attack: "The user's configuration allows the network, and an untrusted record is replayed",
    record: line => byCall(line, {}),
    own: open,
  }),
];

/** A record that must be replayed without a question. */
const goes = (name: string, record: Record, flags: readonly string[] = []): Benign => ({
  id: `replay/${name}`,
  play: async setup => {
    const end = await replay(setup, record, { flags });
    return end.out.startsWith('run sent, ') ? undefined : `${name}: ${end.ended}: ${end.err}`;
  },
});

export const everydayReplays: readonly Benign[] = [
  goes('detected-tests', { turns: [begin, look, repair, prove, stop] }),
  goes('named-as-detected', byTest('npm test', {})),
  goes('runs-the-tests-itself', byCall('npm test', {})),
  goes('no-command-at-all', { turns: [begin, stop] }),
  goes('allowed', byCall('ls -la', {}), ['--allow-commands']),
  goes('recorded-without-walls', { inputs: { sandbox: 'none' }, turns: [begin, stop] }),
];
