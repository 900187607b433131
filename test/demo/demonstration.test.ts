import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeEnd, readOutputs, withoutCommand } from '../../src/demo/demonstration.ts';
import { startModel } from '../doubles/model.ts';
import { discard, makeFolder, root } from '../harness.ts';
import { has } from '../programs.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});
afterEach(() => discard(folder));

interface Played {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Plays `photon demo` as a person does, in an empty folder, with a temporary folder of its own. */
async function play(
  env: Readonly<Record<string, string>> = {},
  { at = root, onOutput }: { at?: string; onOutput?: (text: string, pid: number) => void } = {},
): Promise<Played> {
  const temp = join(folder, 'tmp');
  mkdirSync(temp, { recursive: true });
  const child = spawn(process.execPath, [join(at, 'dist', 'photon.js'), 'demo'], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: temp, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = { out: '', err: '' };
  child.stdout.on('data', text => {
    end.out += text;
    onOutput?.(String(text), child.pid ?? 0);
  });
  child.stderr.on('data', text => (end.err += text));
  const code = await new Promise<number | null>(done => child.on('close', done));
  return { code, ...end };
}

/** A copy of what ships whose Action is another program. */
function shipAction(program: string): string {
  const at = join(folder, 'shipped');
  mkdirSync(at);
  for (const name of ['assets', 'package.json', 'dist'])
    cpSync(join(root, name), join(at, name), { recursive: true });
  // the terminal is in the same bundle: it stays, and the Action starts from another file
  cpSync(join(at, 'dist', 'index.js'), join(at, 'dist', 'terminal.js'));
  const start = `if (process.argv.length > 2) await import('./terminal.js');\nelse {\n${program}\n}\n`;
  writeFileSync(join(at, 'dist', 'index.js'), start);
  return at;
}

const readLeft = () => readdirSync(join(folder, 'tmp')).filter(n => n.startsWith('photon-demo-'));

describe('photon demo', () => {
  it('does the main job without key or account', async () => {
    const run = await play();
    expect(run.out).toContain('embedded engine');
    expect(run.out).toContain('Draft pull request #1');
    // where no namespace can be made, it says so and goes on
    expect(run.out.includes('cannot guarantee')).toBe(!has('namespaces'));
    expect(run.out).toContain('Result: committed (COMMITTED)');
    expect(run.out).not.toContain('::group::');
    expect(run.code).toBe(0);
  });

  it('says in one sentence how a run without a pull request ended', async () => {
    const model = await startModel(() => ({
      text: 'No file here is about this. I stop.',
      calls: [{ name: 'abstain', arguments: { reason: 'Nothing here fits.' } }],
    }));
    const run = await play({
      PHOTON_BASE_URL: model.url,
      PHOTON_API_KEY: 'sk-of-the-demonstration',
      PHOTON_MODEL: 'double',
    });
    await model.close();
    expect(run.out).toContain('The model is double.');
    expect(run.err).toContain('The run ended abstained (');
    expect(run.err).toContain('[DEMO_UNFINISHED]');
    expect(run.code).toBe(1);
  });

  it.each([
    ['is killed', "process.kill(process.pid, 'SIGKILL');", 'was ended by SIGKILL'],
    ['dies without an outcome', 'process.exit(7);', 'ended with status 7, and without an outcome'],
  ])('says that the Action %s', async (_, program, said) => {
    const run = await play({}, { at: shipAction(program) });
    expect(run.err).toContain(said);
    expect(run.err).toContain('[DEMO_UNFINISHED]');
  });

  it('ends at Ctrl-C, and leaves nothing', async () => {
    const run = await play(
      {},
      { onOutput: (text, pid) => void (text.includes('Round 1') && process.kill(pid, 'SIGINT')) },
    );
    expect(run.err).toContain('The run was cancelled.');
    expect(run.code).toBe(130);
    expect(readLeft()).toEqual([]);
  });
});

describe('the end of the Action', () => {
  it('is one sentence', () => {
    const end = { status: 0, signal: undefined };
    const outcome = { status: 'committed', code: 'COMMITTED', message: 'Done.' } as const;
    expect(describeEnd(end, outcome)).toContain('has no pull request');
    expect(describeEnd({ ...end, status: 1 }, { ...outcome, status: 'failed' })).toBe(
      'The run ended failed (COMMITTED): Done.',
    );
  });
});

describe('the log of the Action', () => {
  it('is shown without commands to the runner', () => {
    expect(withoutCommand('::group::Round 1')).toBe('Round 1');
    expect(withoutCommand('::endgroup::')).toBeUndefined();
    expect(withoutCommand('::add-mask::x')).toBeUndefined();
    expect(withoutCommand('::error title=Photon%3A X::failed')).toBe('error: failed');
    expect(withoutCommand('a :: b')).toBe('a :: b');
  });

  it('names outputs with delimiters', () => {
    const text = 'code<<ghadelimiter_1\nCOMMITTED\nghadelimiter_1\nempty<<g2\n\ng2\n';
    expect(readOutputs(text)).toEqual({ code: 'COMMITTED', empty: '' });
  });
});
