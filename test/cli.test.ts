import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replay } from '../src/cli/replay.ts';
import type { PhotonError } from '../src/codes.ts';
import { cloneOf } from './doubles/git-store.ts';
import { startGitHub } from './doubles/github.ts';
import { type ModelDouble, startModel } from './doubles/model.ts';
import { begin, repairScript, sampleFiles, sampleTask } from './doubles/sample.ts';
import { sarifOf } from './doubles/scanner.ts';
import { discard, fingerprint, makeFolder, root } from './harness.ts';
import { startPhoton } from './process.ts';
import { has } from './programs.ts';
import { sample } from './seed.ts';

let folder: string;
let repo: string;
let model: ModelDouble | null = null;

beforeEach(() => {
  folder = makeFolder();
  repo = join(folder, 'repo');
  cloneOf(sampleFiles, repo);
});
afterEach(async () => {
  await model?.close();
  model = null;
  discard(folder);
});

/** Runs the command line to its end without blocking the doubles. */
async function photon(args: string[], env: Record<string, string> = {}) {
  const { code, out, err } = await startPhoton({
    args,
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TMPDIR: folder, ...env },
  });
  return { code, stdout: out, stderr: err };
}

async function scripted() {
  // the objects of the clone live in the clone itself
  model = await startModel(repairScript);
  return { PHOTON_API_KEY: 'key-of-the-test', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
}

describe('photon run', () => {
  it('repairs the most severe finding of a SARIF file, without a task', async () => {
    const env = await scripted();
    writeFileSync(join(repo, 'scan.sarif'), sarifOf({}, { path: 'README.md', line: 1 }));
    const run = await photon(['run', '--repo', repo, '--sarif', 'scan.sarif'], env);
    expect(run.stderr).toContain('2 findings to repair, of which 1 are taken');
    expect(run.stderr).toContain('written (PATCH_WRITTEN)');
    expect(run.code).toBe(0);
  });

  it('leaves the repository unchanged and writes a patch that git applies', async () => {
    const env = await scripted();
    const before = fingerprint(repo);
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      env,
    );
    expect(run.stderr).toContain('written (PATCH_WRITTEN)');
    expect(run.code).toBe(0);
    expect(fingerprint(repo)).toBe(before);
    const path = /^patch: +(.*)$/m.exec(run.stderr)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toBe(run.stdout);
    expect(spawnSync('git', ['apply', path], { cwd: repo }).status).toBe(0);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toContain('/ 100');
  });

  it('prints an answer, without control characters, and writes no patch', async () => {
    const answer = 'The factor is wrong:\n\n- it is \u001b[31m10';
    const finish = { name: 'finish', arguments: { reason: 'it was all looked at', answer } };
    model = await startModel([begin, { text: 'That is all that I need.', calls: [finish] }]);
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
    const args = [
      'run',
      '--repo',
      repo,
      '--task',
      'Look at src/price.js',
      '--out',
      join(folder, 'out'),
    ];
    const run = await photon(args, env);
    expect(run.stdout).toMatch(/^The factor is wrong:\n\n- it is [^\u001b]*10\n$/);
    expect(run.stderr).toContain('answered (TASK_ANSWERED)');
    expect(run.code).toBe(0);
  });

  it('--apply writes the verified patch into the work tree', async () => {
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--apply'],
      await scripted(),
    );
    expect(run.stderr).toContain('applied (APPLIED)');
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: repo }).toString()).toBe(
      ' M src/price.js\n',
    );
  });

  it('--apply touches no file that has unsaved work', async () => {
    writeFileSync(join(repo, 'src/price.js'), 'my work\n');
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--apply'],
      await scripted(),
    );
    expect(run.stderr).toContain('unsaved changes: src/price.js. [CHECKOUT_MISMATCH]');
    expect(run.code).toBe(1);
    // before anything was paid for
    expect(model?.requests).toEqual([]);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toBe('my work\n');
  });

  it.each([
    [['run'], 2, 'TASK_MISSING'],
    [['run', '--task', 'x', 'y'], 2, 'USAGE'],
    [['run', '--tusk', 'x'], 2, 'USAGE'],
    [['fly'], 2, 'USAGE'],
    [['run', '--repo', '/', '--task', 'x'], 1, 'GIT'],
  ])('%j says what is wrong and what to do', async (args, code, says) => {
    const run = await photon(args as string[], { PHOTON_API_KEY: 'k', PHOTON_MODEL: 'm' });
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(says as string);
    expect(run.stderr).toContain('help: ');
  });

  it('says whether key or model is missing', async () => {
    const keyed = await photon(['run', '--repo', repo, '--task', 'x'], { PHOTON_API_KEY: 'k' });
    expect(keyed.stderr).toContain('MODEL_MISSING');
    expect((await photon(['run', '--repo', repo, '--task', 'x', '--model', 'm'])).stderr).toContain(
      'API_KEY_MISSING',
    );
  });
});

describe('photon validate, codes and help', () => {
  it('validate shows each list of paths with examples, and names patterns without a file', async () => {
    const own = join(repo, 'constitution.md');
    writeFileSync(own, '---\nprotected_paths: [src/, "/nowhere/**"]\n---\n');
    const { stdout, code } = await photon(['validate', '--repo', repo]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /protected_paths of constitution\.md: (\d+) of \d+ tracked files protected/,
    );
    expect(stdout).toMatch(/ {2}src\/ \(\d+\)\n {4}protected: src\/.*\n {4}not protected: /);
    expect(stdout).toContain('  warning: /nowhere/** matches no tracked file\n');
    rmSync(own);
  });

  it.each(
    sample<[string, string | Buffer, string]>(
      'broken constitutions',
      [
        [
          'a blank line first',
          '\n---\nprotected_paths: [src/]\n---\n',
          'constitution.md:2: front matter begins',
        ],
        ['UTF-16', Buffer.from('\ufeff---\n---\n', 'utf16le'), 'constitution.md:1:1: is UTF-16'],
        [
          'no closing line',
          '---\nversion: 2\n\n# Ours\n',
          'constitution.md:1: front matter is not closed',
        ],
        [
          'a tag character',
          'a\n\u{e0041}',
          'constitution.md:2:1: contains the hidden character U+E0041',
        ],
        ['a NUL', '# A\0', 'constitution.md:1:4: contains a NUL character'],
        [
          'more than 64 KiB',
          'x'.repeat(65_537),
          'constitution.md: 65537 bytes; at most 65536 are allowed',
        ],
        [
          'a pattern that takes paths out',
          '---\nflagged_paths: []\nprotected_paths:\n  - infra/\n  - "!infra/x"\n---\n',
          'constitution.md:5: protected_paths.1: "!infra/x" begins with !',
        ],
      ],
      2,
    ),
  )('validate refuses a constitution with %s, at its line', async (_name, text, says) => {
    const own = join(repo, 'constitution.md');
    writeFileSync(own, text);
    const run = await photon(['validate', '--repo', repo]);
    rmSync(own);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('CONSTITUTION_INVALID');
    expect(run.stderr).toContain(says);
  });

  it('validate checks the work tree', async () => {
    expect((await photon(['validate', '--repo', repo])).stdout).toContain('all valid');
    const agent = await photon(['validate', '--repo', repo, '--agent-profile', 'kjxlkj-agent']);
    expect(agent.stdout).toContain('profile:       kjxlkj-agent 1.0.0 (kjxlkj-agent), xml, ram, 8');
    const own = join(repo, 'src/constitution.md');
    writeFileSync(own, '---\nlimits: { read_lines: 100 }\n---\n');
    const folders = await photon(['validate', '--repo', repo]);
    expect(folders.stdout).toContain('folders with their own: src\n');
    writeFileSync(own, '---\nlimits:\n  read_lines: 501\n---\n');
    const loose = await photon(['validate', '--repo', repo]);
    expect(loose.code).toBe(1);
    expect(loose.stderr).toContain('src/constitution.md:3: read_lines: 501 is looser than 500');
    expect(loose.stderr).toContain('[CONSTITUTION_LOOSENED]');
    rmSync(own);
    mkdirSync(join(repo, '.photon/skills/x'), { recursive: true });
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    writeFileSync(join(repo, '.photon/skills/x/SKILL.md'), '---\nname: X y\ndescription: d\n---\n');
    const bad = await photon(['validate', '--repo', repo]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain(
      'warning:       Skill x was left out: .photon/skills/x/SKILL.md: name: use lower-case words joined by - or _',
    );
    expect(bad.stdout).toContain('NOT ALL VALID');
  });

  it('validate lists the instruction files, what each is about, and those without an effect', async () => {
    const bare = await photon(['validate', '--repo', repo]);
    expect(bare.stdout).not.toContain('instructions:');
    mkdirSync(join(repo, '.github/instructions'), { recursive: true });
    writeFileSync(join(repo, 'AGENTS.md'), 'Use tabs.\n');
    writeFileSync(join(repo, 'src/AGENTS.md'), 'Use spaces.\n');
    writeFileSync(join(repo, '.github/instructions/x.instructions.md'), 'Text.\n');
    expect((await photon(['validate', '--repo', repo])).stdout).toContain(
      [
        'instructions:  AGENTS.md, for the whole repository',
        '               src/AGENTS.md, for src/',
        '               ignored: .github/instructions/x.instructions.md: it has no applyTo',
      ].join('\n'),
    );
  });

  it('codes explains a code', async () => {
    expect((await photon(['codes', 'stale_read'])).stdout).toMatch(
      /^STALE_READ\n {2}.*\n {2}What to do: /,
    );
  });

  it('--help names every command', async () => {
    const { stdout } = await photon(['--help']);
    for (const name of 'run validate skills doctor audit session replay demo codes'.split(' '))
      expect(stdout).toContain(`photon ${name}`);
    expect(stdout.split('\n').length).toBeLessThan(60);
  });

  it('COMMAND --help describes that command and its options', async () => {
    const run = (await photon(['run', '--help'])).stdout;
    expect(run).toContain('--max-rounds');
    expect(run).not.toContain('photon demo');
    const options = [...run.matchAll(/^ {6}--([\w-]+) /gm)].map(m => m[1]);
    expect(options.length).toBeGreaterThan(15);
    const refused = await photon(['run', '--repo', repo, '--task', 'x', '--labels', 'a']);
    expect([refused.code, options.includes('labels')]).toEqual([2, false]);
    const memory = (await photon(['help', 'memory'])).stdout;
    expect(memory).toContain('photon memory search');
    expect(memory).not.toContain('--max-rounds');
  });
});

describe('photon skills', () => {
  it('list shows the allowlist: versions, tools, bounds, and what cannot be activated', async () => {
    const shipped = await photon(['skills', 'list', '--repo', repo]);
    expect(shipped.code).toBe(0);
    expect(shipped.stdout).toContain('test-writing 1.0.0  photon:test-writing/SKILL.md\n');
    expect(shipped.stdout).toContain('  enforced: changes only @tests; deletes no file;');
    mkdirSync(join(repo, '.photon/skills/x'), { recursive: true });
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    writeFileSync(
      join(repo, '.photon/skills/x/SKILL.md'),
      '---\nname: x\ndescription: d\nphoton: { requires: { tools: [teleport] } }\n---\n',
    );
    const own = await photon(['skills', 'list', '--repo', repo]);
    expect(own.code).toBe(1);
    expect(own.stdout).toContain('  tools: none, it is knowledge only (photon skills adopt');
    const valid = await photon(['validate', '--repo', repo]);
    expect(valid.stdout).toContain('knowledge only, no tool: x\n');
    expect(own.stdout).toContain(
      'CANNOT BE ACTIVATED: x requires tools that do not exist: teleport',
    );
  });

  it('check finds the shipped skills complete, and says what another one lacks', async () => {
    const shipped = await photon(['skills', 'check', join(root, 'skills')]);
    expect(shipped.stdout.match(/^complete /gm)).toHaveLength(12);
    expect(shipped.stdout).toContain('12 complete, 0 usable as they are, 0 not usable\n');
    expect(shipped.code).toBe(0);
    const own = join(repo, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'SKILL.md'), '---\nname: own\ndescription: d\n---\n');
    const bare = await photon(['skills', 'check', own]);
    expect(bare.code).toBe(1);
    expect(bare.stdout).toMatch(/^usable {3}own .*\n {2}as it is: grants no tool\n/m);
    expect(bare.stdout).toContain(
      'from the interface alone: role cannot be built, plan cannot be built',
    );
    expect(bare.stdout).toContain(
      'photon.interface.success: it does not say how to recognise success',
    );
    mkdirSync(join(own, 'bad'));
    writeFileSync(join(own, 'bad/SKILL.md'), '---js\n({})\n---\n');
    const bad = await photon(['skills', 'check', own]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('usable   own ');
    expect(bad.stdout).toContain('UNUSABLE bad ');
    expect(bad.stdout).toContain(
      'own/bad/SKILL.md:1: front matter: front matter in js is not allowed',
    );
  });

  it('adopt shows what skills of other agents lack, and writes it when asked', async () => {
    const put = (name: string, text: string) => {
      mkdirSync(join(repo, 'theirs/more', name), { recursive: true });
      writeFileSync(join(repo, 'theirs/more', name, 'SKILL.md'), text);
    };
    const pdf =
      '\uFEFF---\r\nname: pdf\r\ndescription: Works on PDF files.\r\nallowed-tools: Read, Write, WebFetch\r\n---\r\nBody\n';
    put('pdf', pdf);
    put('fetch', '---\nname: fetch\ndescription: d\nallowed-tools: WebFetch\n---\nBody\n');
    put('broken', '---\nname: [\n---\nBody\n');
    const folder = join(repo, 'theirs');
    const file = join(folder, 'more/pdf/SKILL.md');
    const shown = await photon(['skills', 'adopt', folder]);
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain('+  interface:');
    expect(shown.stdout).toContain('can be adopted: pdf  theirs/more/pdf/SKILL.md\n');
    expect(shown.stdout).toContain('  grants: Read is read_code_block, Write is apply_patch\n');
    expect(shown.stdout).toContain('  grants nothing: WebFetch\n');
    expect(shown.stdout).toContain('NOT USABLE: broken  ');
    expect(shown.stdout).toContain('0 usable as they are, 1 can be adopted, 2 not usable\n');
    expect(readFileSync(file, 'utf8')).toBe(pdf);
    const written = await photon(['skills', 'adopt', folder, '--write']);
    expect(written.stdout).toContain('adopted: pdf  ');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^\uFEFF---\r\nname: pdf\r\n.*\r\n.*\r\n# added .*\r\nphoton:\r\n {2}version: "0.1.0"\r\n/,
    );
    const again = await photon(['skills', 'adopt', join(folder, 'more/pdf')]);
    expect([again.code, again.stdout]).toEqual([
      0,
      expect.stringContaining('usable as it is: pdf'),
    ]);
    const check = await photon(['skills', 'check', join(folder, 'more/pdf')]);
    expect(check.stdout).toContain('as it is: grants read_code_block, apply_patch');
    const usage = { code: 2, stderr: expect.stringContaining('[USAGE]') };
    expect(await photon(['skills', 'adopt'])).toMatchObject(usage);
  });

  it('new creates a complete skill, and overwrites none', async () => {
    const made = await photon(['skills', 'new', 'greet', '--in', join(repo, 'skills')]);
    expect(made.code).toBe(0);
    expect((await photon(['skills', 'check', join(repo, 'skills/greet')])).code).toBe(0);
    const again = await photon(['skills', 'new', 'greet', '--in', join(repo, 'skills')]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('DISK');
    const usage = { code: 2, stderr: expect.stringContaining('[USAGE]') };
    expect(await photon(['skills', 'new', '../greet'])).toMatchObject(usage);
    expect(await photon(['skills', 'fly'])).toMatchObject(usage);
  });
});

describe('photon run --watch-skills', () => {
  const skill = (more: string, constraint: string) =>
    `---\nname: own\ndescription: Ours.\nallowed-tools: ${more}\ninterface: Text.\nphoton: { constraints: ["${constraint}"] }\n---\nKernel.\n`;
  const turn = (name: string, args: object) => ({
    text: 'This is the next step. It is needed.',
    calls: [{ name, arguments: args }],
  });

  /** Three rounds with own skills of the work tree; `edit` is called before the second request is answered. */
  async function watched(flags: readonly string[], edit: (path: string) => void) {
    mkdirSync(join(repo, '.photon/skills/own'), { recursive: true });
    const path = join(repo, '.photon/skills/own/SKILL.md');
    writeFileSync(path, skill('grep', 'As it was.'));
    writeFileSync(join(repo, '.photon/config.json'), '{"agent":{"skillRoots":[".photon/skills"]}}');
    execFileSync('git', ['add', '-A'], { cwd: repo });
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@e', 'commit', '-qm', 'x'], {
      cwd: repo,
    });
    const turns = [
      turn('skill_activate', { skill_name: 'own' }),
      turn('skill_search', { query: 'ours' }),
      turn('run_command', { command: 'true' }),
      turn('abstain', { reason: 'over' }),
    ];
    model = await startModel((_body, i) => {
      if (i === 1) edit(path);
      return turns[i] ?? { status: 400 };
    });
    const env = { PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' };
    const args = [
      'run',
      '--repo',
      repo,
      '--task',
      'x',
      '--verify',
      'none',
      '--sandbox',
      'none',
      '--out',
      join(folder, 'out'),
    ];
    const run = await photon([...args, ...flags], env);
    const prompts = model.requests.map(r => String(r.body.messages[0]?.content));
    const ledger = /^ledger: +(.*)$/m.exec(run.stderr)?.[1] ?? '';
    return { run, prompts, ledger };
  }

  it('uses a skill as it changes, and the ledger can still be judged', async () => {
    const { run, prompts, ledger } = await watched(['--watch-skills'], path =>
      writeFileSync(path, skill('grep run_command', 'As it is now.')),
    );
    expect(prompts[1]).toContain('- As it was.');
    expect(prompts[2]).toContain('- As it is now.');
    expect(prompts[2]).toContain('Allowed tools: grep, run_command');
    expect(run.stderr).toContain('Skills: read again, 1 on the allowlist.');
    // a plan is what is missing then, and no longer the grant
    expect(run.stderr).toContain('run_command: abstain PLAN_MISSING');
    expect(readFileSync(ledger, 'utf8')).toContain('"tool":"skills.read"');
    expect((await photon(['audit', ledger])).code).toBe(0);
  });

  it('keeps the previous skill if the change is invalid', async () => {
    const { run, prompts } = await watched(['--watch-skills'], path =>
      writeFileSync(path, 'broken'),
    );
    expect(prompts[2]).toContain('- As it was.');
    expect(run.stderr).toContain(
      'Skills: kept as they were, since .photon/skills/own/SKILL.md:1: ',
    );
  });

  it('without the flag the commit decides', async () => {
    const { run, prompts } = await watched([], path =>
      writeFileSync(path, skill('grep run_command', 'As it is now.')),
    );
    expect(prompts[2]).toContain('- As it was.');
    expect(run.stderr).toContain('run_command: abstain TOOL_NOT_PERMITTED');
  });
});

describe('photon demo', () => {
  it('does the main job without key or account', async () => {
    const run = await photon(['demo']);
    expect(run.stdout).toContain('embedded engine');
    expect(run.stdout).toContain('The pull request: #1');
    expect(run.stdout).not.toContain('cannot guarantee');
    expect(run.stdout).toContain('committed (COMMITTED)');
    expect(run.code).toBe(0);
  });
});

describe('photon audit', () => {
  /** A run, and the path of its ledger. */
  async function ranLedger() {
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      await scripted(),
    );
    return /^ledger: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
  }

  it('judges a run again from its ledger, and names the entry that was changed', async () => {
    const ledger = await ranLedger();
    const good = await photon(['audit', ledger]);
    expect(good).toMatchObject({ code: 0, stderr: '' });
    expect(good.stdout).toContain(
      'phases:    INPUT > PLAN > NAVIGATE > READ > PATCH > VERIFY > COMMIT',
    );
    expect(good.stdout.endsWith('valid\n')).toBe(true);
    const lines = readFileSync(ledger, 'utf8').split('\n');
    writeFileSync(
      ledger,
      lines.with(6, (lines[6] ?? '').replace('"pass"', '"abstain"')).join('\n'),
    );
    const bad = await photon(['audit', ledger]);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('deviates at entry 7: LEDGER_SEAL');
    expect(bad.stdout).toContain('help: ');
  });

  it('compares with the head of the outcome next to it, or with the given one', async () => {
    const ledger = await ranLedger();
    const outcome = join(ledger, '..', 'outcome.json');
    const text = readFileSync(outcome, 'utf8');
    writeFileSync(outcome, text.replace(/"head": "\w{64}"/, `"head": "${'0'.repeat(64)}"`));
    const other = await photon(['audit', ledger]);
    expect(other).toMatchObject({ code: 1 });
    expect(other.stdout).toContain('LEDGER_SEAL: no entry has the given hash');
    const hash = /"hash":"(\w{64})"/.exec(
      readFileSync(ledger, 'utf8').split('\n').at(-2) ?? '',
    )?.[1];
    expect(await photon(['audit', ledger, '--head', hash ?? ''])).toMatchObject({ code: 0 });
  });

  it('says what it needs', async () => {
    expect(await photon(['audit'])).toMatchObject({ code: 2 });
    const missing = await photon(['audit', join(folder, 'no.jsonl')]);
    expect(missing.code).toBe(1);
    expect(missing.stderr).toContain('LEDGER_MISSING');
  });
});

describe('photon session', () => {
  it('shows what a run did, and exports its patch without the repository', async () => {
    const before = fingerprint(repo);
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      await scripted(),
    );
    expect(fingerprint(repo)).toBe(before);
    const file = /^session: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
    const show = await photon(['session', 'show', file]);
    expect(show).toMatchObject({ code: 0, stderr: '' });
    expect(show.stdout).toContain('modified src/price.js  +1 -1');
    expect(show.stdout).toMatch(/PATCH +apply_patch: pass \(src\/price\.js\)/);
    const listed = await photon(['session', 'commands', file]);
    expect(listed.stdout).toMatch(/\/photon\/baseline: exit 1, \d+ ms\n {4}in \.: \S/);
    expect(listed.stdout).toMatch(/\/photon\/verify: exit 0, /);
    const json = await photon(['session', 'commands', file, '--json']);
    const own = (JSON.parse(json.stdout) as { caller: string }[]).filter(
      c => !/\/proof$/.test(c.caller),
    );
    expect(own).toMatchObject([
      { caller: expect.stringMatching(/\/photon\/baseline$/), exitCode: 1 },
      { caller: expect.stringMatching(/\/photon\/verify$/), exitCode: 0 },
    ]);
    const diff = await photon(['session', 'diff', file]);
    expect(diff.stdout).toBe(run.stdout);
    const exported = await photon(['session', 'export', file, '--out', join(folder, 'p.patch')]);
    expect(exported.code).toBe(0);
    execFileSync('git', ['-C', repo, 'apply', join(folder, 'p.patch')]);
    expect(readFileSync(join(repo, 'src/price.js'), 'utf8')).toContain('discountPercent / 100');
    const again = await photon(['session', 'export', file, '--out', join(folder, 'p.patch')]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('DISK');
  });

  it('commits to a new branch, and changes no file, no index and no other branch', async () => {
    const run = await photon(
      ['run', '--repo', repo, '--task', sampleTask, '--out', join(folder, 'out')],
      await scripted(),
    );
    const file = /^session: +(.*)$/m.exec(run.stderr)?.[1] ?? expect.fail(run.stderr);
    writeFileSync(join(repo, '.git/hooks/post-commit'), '#!/bin/sh\ntouch hooked\n', {
      mode: 0o755,
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', repo, ...args], { encoding: 'utf8' });
    const index = readFileSync(join(repo, '.git/index'));
    const files = git('status', '--porcelain', '--ignored');
    const commit = await photon([
      'session',
      'commit',
      file,
      '--repo',
      repo,
      '--branch',
      'photon/x',
    ]);
    expect(commit, commit.stderr).toMatchObject({ code: 0 });
    expect(git('diff', 'main', 'photon/x', '--full-index').trimEnd()).toBe(run.stdout.trimEnd());
    expect(git('rev-parse', 'photon/x^')).toBe(git('rev-parse', 'main'));
    expect(git('rev-parse', 'photon/x').trim()).toBe(/commit (\w{40})/.exec(commit.stdout)?.[1]);
    expect(git('status', '--porcelain', '--ignored')).toBe(files);
    expect(readFileSync(join(repo, '.git/index')).equals(index)).toBe(true);
    const taken = await photon(['session', 'commit', file, '--repo', repo, '--branch', 'photon/x']);
    expect(taken.code).toBe(1);
    expect(taken.stderr).toContain('BRANCH_TAKEN');
    const name = await photon(['session', 'commit', file, '--repo', repo, '--branch', '-x..y']);
    expect(name.code).toBe(2);
    execFileSync('git', ['init', '-q', join(folder, 'other')]);
    const other = await photon(['session', 'commit', file, '--repo', join(folder, 'other')]);
    expect(other.stderr).toContain('SESSION_BASE_MISSING');
  });

  it('says what it needs, and what a file is not', async () => {
    const usage = { code: 2, stderr: expect.stringContaining('[USAGE]') };
    expect(await photon(['session'])).toMatchObject(usage);
    expect(await photon(['session', 'dance', 'x'])).toMatchObject(usage);
    writeFileSync(join(folder, 'x.db'), 'no database');
    const wrong = await photon(['session', 'show', join(folder, 'x.db')]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toContain('SESSION_INVALID');
  });
});

describe('photon doctor', () => {
  it('says what the sandbox of this machine guarantees, and leaves nothing behind', async () => {
    const before = fingerprint(repo);
    const own = join(folder, 'config', 'photon');
    mkdirSync(own, { recursive: true });
    const network = ['registry.example.org'];
    writeFileSync(join(own, 'config.json'), JSON.stringify({ sandbox: { network } }));
    const env = { XDG_CONFIG_HOME: join(folder, 'config') };
    const run = await photon(['doctor', '--repo', repo], env);
    expect(run.code, run.stdout).toBe(0);
    expect(run.stdout).toMatch(/^git: +git version /m);
    expect(run.stdout).toContain(`sandbox: ${has('bwrap') ? 'bubblewrap' : 'namespaces'}`);
    expect(run.stdout.match(/^ {2}holds /gm)).toHaveLength(9);
    expect(run.stdout).toContain('  holds   egress ');
    expect(run.stdout).toContain('tests:   npm test (package script, from package.json)\n');
    expect(fingerprint(repo)).toBe(before);
  });

  it('says that the test command cannot run, as a run does', async () => {
    const other = join(folder, 'unrunnable');
    mkdirSync(other);
    writeFileSync(join(other, 'package.json'), '{"scripts":{"test":"no-such-runner"}}');
    const run = await photon(['doctor', '--repo', other]);
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(
      /^ {2}MISSING TEST_COMMAND_UNRUNNABLE: .*"no-such-runner".*\nhelp: .*setup-command/m,
    );
  });

  it('finds all guarantees in a checkout whose packages contain the node that runs it', async () => {
    const { stdout } = await photon(['doctor', '--repo', root]);
    expect(stdout).not.toContain('MISSING');
  });

  it('names what is missing and what to do', async () => {
    const bare = join(folder, 'bin');
    mkdirSync(bare);
    const run = await photon(['doctor', '--repo', repo], { PATH: bare });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('sandbox: MISSING');
    expect(run.stdout).toContain('git:     missing');
    expect(run.stdout).toMatch(/MISSING network/);
    expect(run.stdout).toContain('help: Install bubblewrap');
  });
});

describe('what a project shows', () => {
  const shown = [
    'tests:   corepack pnpm test (package script, from package.json)',
    'set-up:  corepack pnpm install --frozen-lockfile',
    '  passed over: make check (make, from Makefile)',
    '  passed over: cd engine && cargo test (cargo, from engine/Cargo.toml)',
    '',
  ].join('\n');
  const project = () => {
    const repo = join(folder, 'project');
    mkdirSync(join(repo, 'engine'), { recursive: true });
    execFileSync('git', ['init', '-q', repo]);
    writeFileSync(join(repo, 'package.json'), '{"scripts":{"test":"vitest"}}');
    writeFileSync(join(repo, 'pnpm-lock.yaml'), '');
    writeFileSync(join(repo, 'Makefile'), 'check:\n\tpnpm test\n');
    writeFileSync(join(repo, 'engine', 'Cargo.toml'), '[package]\n');
    return repo;
  };

  it('is told by photon init, which writes it, and by photon doctor', async () => {
    const repo = project();
    const init = await photon(['init', '--repo', repo]);
    expect(init.stderr).toContain(shown);
    const config = JSON.parse(readFileSync(join(repo, '.photon/config.json'), 'utf8'));
    expect(config.verify).toEqual({
      command: 'corepack pnpm test',
      setup: 'corepack pnpm install --frozen-lockfile',
    });
    const doctor = await photon(['doctor', '--repo', repo]);
    expect(doctor.stdout).toContain(shown);
    expect(doctor.stdout).toContain('in use:  corepack pnpm test, as verify.command');
  });
});

describe('photon doctor --on', () => {
  it.each(
    sample(
      'callers of doctor',
      [
        ['an administrator, where it is forbidden', 'User', true, 1, 'MISSING pulls'],
        ['an administrator, where it is allowed', 'User', false, 0, 'holds   pulls'],
        ['somebody else', 'Bot', true, 0, '?       pulls'],
      ],
      2,
    ),
  )(
    'says to %s whether Actions may open pull requests',
    async (_name, type, forbidden, code, line) => {
      const actor = type === 'Bot' ? {} : { actor: { login: 'ann', id: 9, type } };
      const github = await startGitHub({ seed: sampleFiles, ...actor });
      github.state.surface.pullRequestsForbidden = forbidden;
      const env = { GITHUB_TOKEN: github.token, GITHUB_API_URL: github.url };
      const run = await photon(['doctor', '--repo', repo, '--on', 'octo/sample'], env);
      expect(run.stdout).toContain('github:  octo/sample, default branch main');
      expect(run.stdout).toContain(line);
      expect(run.stdout.includes('/octo/sample/settings/actions')).toBe(code === 1);
      expect(run.code, run.stdout).toBe(code);
      expect(github.violations).toEqual([]);
      await github.close();
    },
  );

  it('fails with a code if the repository cannot be read', async () => {
    const github = await startGitHub({ seed: sampleFiles });
    const env = { GITHUB_TOKEN: 'dead', GITHUB_API_URL: github.url };
    const run = await photon(['doctor', '--repo', repo, '--on', 'octo/sample'], env);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('GITHUB_AUTH')]);
    expect(await photon(['doctor', '--on', 'octo'])).toMatchObject({ code: 2 });
    await github.close();
  });
});

describe('photon replay', () => {
  /** A recorded run: the path of its replies. */
  async function record(profile = 'photon') {
    const out = join(folder, 'out');
    const options = ['--task', sampleTask, '--agent-profile', profile, '--record', 'true'];
    const run = await photon(['run', '--repo', repo, ...options, '--out', out], await scripted());
    expect(run.code, run.stderr).toBe(0);
    const ledger = /^ledger: +(.*)$/m.exec(run.stderr)?.[1] ?? '';
    return ledger.replace('ledger.jsonl', 'replies.jsonl');
  }

  it.each(sample('profiles of a replay', ['photon', 'kjxlkj-agent'], 1))(
    'runs again without model, key or network, and finds no difference: %s',
    async profile => {
      const replies = await record(profile);
      await model?.close();
      model = null;
      const before = fingerprint(repo);
      const again = await photon(['replay', replies, '--repo', repo]);
      expect(again.stdout).toContain(
        '5 replies: the same decisions, the same patch, the same ending',
      );
      expect(again.code).toBe(0);
      expect(fingerprint(repo)).toBe(before);
      expect(readFileSync(replies, 'utf8')).not.toContain('key-of-the-test');
    },
  );

  it.each(
    sample(
      'answers to a replay',
      [
        ['n', 'REPLAY_COMMANDS'],
        ['', 'REPLAY_COMMANDS'],
        ['yes', ''],
      ],
      2,
    ),
  )(
    'asks before it runs a command that is not the repository\'s own: "%s"',
    async (answer, code) => {
      const replies = await record();
      const text = readFileSync(replies, 'utf8');
      const [header = '', ...turns] = text.split('\n');
      const { inputs: given, ...about } = JSON.parse(header);
      const changed = { ...about, inputs: { ...given, 'test-command': 'exit 1 # of a stranger' } };
      writeFileSync(replies, [JSON.stringify(changed), ...turns].join('\n'));
      const questions: string[] = [];
      const printed: string[] = [];
      const status = await replay([replies, '--repo', repo, '--out', folder], {
        env: { PATH: process.env.PATH, HOME: folder },
        root,
        now: Date.now,
        signal: new AbortController().signal,
        isShown: false,
        columns: null,
        live: null,
        colours: { out: false, error: false },
        printData: text => printed.push(text),
        print: text => printed.push(text),
        tell: text => printed.push(text),
        ask: async question => {
          questions.push(question);
          return answer;
        },
      }).catch((error: PhotonError) => error.code);
      expect(questions).toHaveLength(1);
      expect(printed.join('')).toContain('"exit 1 # of a stranger"');
      expect(status).toBe(code || 1);
    },
  );

  it('names the first call with another decision, and another base', async () => {
    const replies = await record();
    const text = readFileSync(replies, 'utf8');
    writeFileSync(replies, text.replace('discountPercent / 100', 'discountPercent / 50'));
    const other = await photon(['replay', replies, '--repo', repo]);
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/differs in call 5: arguments was \w{64}, is \w{64}/);
    writeFileSync(replies, text);
    execFileSync('git', [
      '-C',
      repo,
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'x',
    ]);
    const moved = await photon(['replay', replies, '--repo', repo]);
    expect(moved.stdout).toContain('differs in its starting point: base was');
  });

  it('does not trust the file of a recording', async () => {
    const replies = await record();
    writeFileSync(replies, `${readFileSync(replies, 'utf8').split('\n')[0]}\n{"text": 1}\n`);
    const wrong = await photon(['replay', replies, '--repo', repo]);
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/line 2: \/text.*\[RECORD_INVALID\]/);
    const none = await photon(['replay', join(folder, 'none')]);
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('[FILE_UNREADABLE]')]);
  });
});
