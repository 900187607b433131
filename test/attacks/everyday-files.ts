/** Files that people change every day: none of them is refused, and each comes out as it was written. */
import type { ScriptedTurn } from '../doubles/model.ts';
import { look } from '../doubles/sample.ts';
import { type Benign, throughAction } from './attack.ts';
import { openPaths } from './closed-paths.ts';
import { writing } from './paths.ts';

const paths = (name: string, files: readonly string[]): Benign => ({
  id: `files/${name.replaceAll(' ', '-')}`,
  play: async setup => {
    let refused: string | undefined;
    await throughAction(
      setup,
      { script: writing(files, 'as everyday\n') },
      ({ outcome, github }) => {
        const written = new Set(outcome.patch.files.map(f => f.path));
        const missing = files.find(path => !written.has(path));
        if (missing !== undefined) refused = `${missing}: ${outcome.code}`;
        else if (github.state.pulls.size !== 1) refused = `no pull request: ${outcome.code}`;
        return undefined;
      },
    );
    return refused;
  },
});

interface Encoded {
  readonly name: string;
  /** Three lines; the one in the middle is edited. */
  readonly before: Buffer;
  readonly edit: string;
  readonly after: Buffer;
}

const latin = (text: string) => Buffer.from(text, 'latin1');

const texts: readonly Encoded[] = [
  {
    name: 'latin-1',
    before: latin('caf\u00e9\nold\n\u00fcber\n'),
    edit: 'stra\u00dfe',
    after: latin('caf\u00e9\nstra\u00dfe\n\u00fcber\n'),
  },
  {
    name: 'windows-1252',
    before: latin('5 \u0080\r\nold\r\n\u0093so\u0094\r\n'),
    edit: 'new',
    after: latin('5 \u0080\r\nnew\r\n\u0093so\u0094\r\n'),
  },
  {
    name: 'utf-8-with-mark',
    before: Buffer.from('\ufeffcaf\u00e9\nold\nend'),
    edit: 'stra\u00dfe',
    after: Buffer.from('\ufeffcaf\u00e9\nstra\u00dfe\nend'),
  },
];

/** A text of this encoding is read, edited in one line, and comes out byte for byte as before around it. */
const encoded = ({ name, before, edit, after }: Encoded): Benign => ({
  id: `files/text-in-${name}`,
  play: async setup => {
    let wrong: string | undefined;
    const path = 'docs/text.txt';
    const [plan, , repaired, ...end] = writing([path]);
    const [repair, planText] = repaired?.calls ?? [];
    const calls = [
      { name: 'list_project_files', arguments: {} },
      ...(look.calls ?? []),
      repair,
      planText,
      {
        name: 'read_code_block',
        arguments: { requests: [{ file_path: path, start_line: 1, end_line: 3 }] },
      },
      {
        name: 'apply_patch',
        arguments: { files: [{ path, edits: [{ start_line: 2, content: edit }] }] },
      },
    ];
    // each in a round of its own, and each read right before its edit
    const script: ScriptedTurn[] = [
      ...(plan ? [plan] : []),
      ...calls.flatMap(call =>
        call ? [{ text: 'One step of the two edits.', calls: [call] }] : [],
      ),
      ...end,
    ];
    const files = { [path]: { content: before } };
    await throughAction(setup, { files, script }, ({ session, outcome }) => {
      const made = session?.changes.find(c => c.path === path)?.after?.bytes ?? [];
      if (outcome.code !== 'COMMITTED' || !after.equals(Buffer.from(made)))
        wrong = `${outcome.code}: ${Buffer.from(made).toString('latin1')}`;
      return undefined;
    });
    return wrong;
  },
});

export const everydayFiles: readonly Benign[] = [
  ...Object.entries(openPaths).map(([name, files]) => paths(name, files)),
  ...texts.map(encoded),
];
