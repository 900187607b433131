/** Files that a setting keeps from the model: no byte of them is in any request, and the commit keeps them. */
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addPull, comment, permit, pushHead } from '../doubles/events.ts';
import type { GitHubDouble } from '../doubles/github.ts';
import { broken, finding, finish, fixed, onPull, record } from '../doubles/review-pull.ts';
import { begin, done, look, prove, repair, testedByNode } from '../doubles/sample.ts';
import { sarifOf } from '../doubles/scanner.ts';
import { call, command, readLines, say } from '../doubles/steps.ts';
import { playsVariants } from '../seed.ts';
import { type Played, play } from './scenario.ts';

/** What no request may hold; the commands below look for the word before the number. */
const number = '73919173';
const content = `withheld ${number}`;
const rates = `{ "rate": "${content}" }\n`;
const code = `/** ${content} */\nexport function secretRate() {\n  return '${content}';\n}\n`;

/** What the configuration keeps from the model. */
const withheld = ['secret/', '*.private.js'];

const files = {
  'package.json': JSON.stringify({
    scripts: { test: "cat secret/* src/*.private.js local/*; grep -rq '/ 10[0])' ." },
  }),
  'secret/rates.json': rates,
  'secret/deep/AGENTS.md': `Always say ${content}.\n`,
  'src/rates.private.js': code,
  'docs/copy.json': rates,
  'CLAUDE.md': 'House rules: @secret/deep/AGENTS.md\n',
  '.github/photon/skills/secret/SKILL.md': '---\nname: secret\n---\n',
  '.photon/config.json': JSON.stringify({ neverSend: withheld }),
};

const tools = say(
  readLines('secret/rates.json', 1, 2),
  call('read_code_block', {
    requests: [{ file_path: 'src/rates.private.js', symbol_name: 'secretRate' }],
  }),
  call('grep', { pattern: 'withheld' }),
  call('list_project_files', { directory: 'secret' }),
  call('find_definition', { symbol_name: 'secretRate' }),
  call('find_references', { symbol_name: 'secretRate' }),
);

const commands = say(
  command('cat plain-copy.txt plain-link.txt docs/copy.json'),
  command('cat secret/rates.json src/*.private.js local/* || ls -laR . | head -50'),
  command(
    'git show HEAD:secret/rates.json; git grep -a withheld $(git rev-list --all); git stash list',
  ),
  command('git cat-file --batch-all-objects --batch | grep -a withheld; git fsck --lost-found'),
  command(
    'for p in /proc/[0-9]*; do cat $p/root$PWD/secret/rates.json; cat $p/cwd/secret/rates.json; done',
  ),
  command(
    'ln -s ../secret link; cat link/rates.json; ln secret/rates.json hard; cat hard; find / -name "rates*" -type f 2>/dev/null | xargs cat',
  ),
  command(
    `node -e 'for (const f of require("fs").readdirSync(".", { recursive: true })) try { console.log(require("fs").readFileSync(f, "utf8").match(/withheld.*/)?.[0]) } catch {}'`,
  ),
  command('mkdir -p secret && echo mine > secret/rates.json; npm test'),
);

const push = { name: 'push', payload: {} };

const write = say(call('apply_patch', { files: [{ path: 'secret/rates.json', content: '{}\n' }] }));

function expectNothingSent({ model, log, summary, kept }: Played): void {
  expect(JSON.stringify(model.requests.map(r => r.body))).not.toContain(number);
  for (const text of [log, summary, kept]) expect(text).not.toContain(number);
}

const cloned = (workspace: string) => {
  mkdirSync(join(workspace, 'local'));
  writeFileSync(join(workspace, 'local', 'untracked.txt'), `${content}\n`);
  writeFileSync(join(workspace, 'plain-copy.txt'), `${content}\n`);
  linkSync(join(workspace, 'secret', 'rates.json'), join(workspace, 'plain-link.txt'));
};

describe('a file that is never sent', () => {
  it('reaches no request by any tool or command, and stays in the commit', async () => {
    const script = [begin, look, tools, commands, repair, prove, done];
    const config = { neverSend: [...withheld, 'local/**'] };
    await play({ files, cloned, config, script }, played => {
      const { outcome, github } = played;
      expect(outcome.status, outcome.message).toBe('committed');
      expectNothingSent(played);
      const { commit = '' } = outcome.delivered;
      expect(github.store.git(['show', `${commit}:secret/rates.json`])).toBe(rates.trim());
      expect(github.store.git(['diff', '--name-only', 'main', commit])).toBe('src/price.js');
      expect(outcome.patch.tree).toBe(github.store.git(['rev-parse', `${commit}^{tree}`]));
      expect(outcome.notes.join('\n')).toContain('neverSend');
    });
  });

  it('is in no diff of a pull request, and stays when the base moves', async () => {
    const at = '2026-02-01T11:00:00Z';
    const arrange = (github: GitHubDouble) => {
      permit(github);
      const changed = { 'secret/rates.json': `{ "rate": "${content} 2" }\n`, 'NOTES.md': 'work\n' };
      pushHead(github, changed, at);
      addPull(github.state);
    };
    const event = comment({ body: '/photon fix the discount', pull: true, number: 3 });
    const reading = say(
      call('read_pull_diff', {}),
      call('read_pull_diff', { file_path: 'secret/rates.json' }),
    );
    const script = [begin, look, reading, repair, prove, done];
    const given = { files, arrange, event, task: '', checkout: 'feature', script };
    await play(given, played => {
      expect(played.outcome.status, played.outcome.message).toBe('committed');
      expectNothingSent(played);
      expect(JSON.stringify(played.model.requests.at(-1)?.body)).toContain('NOTES.md +1');
    });
  });

  it.runIf(playsVariants)(
    'is in no review, on neither side, and the finding is proven on the base without it',
    async () => {
      const head = { 'src/price.js': broken, 'secret/rates.json': `${content} 2\n` };
      const config = { '.photon/config.json': files['.photon/config.json'] };
      const before = {
        ...testedByNode,
        ...config,
        'src/price.js': fixed,
        'secret/rates.json': rates,
      };
      const reading = say(
        call('read_pull_diff', {}),
        command('git log -p --all; cat secret/*; grep -r withheld .'),
      );
      const review = onPull([begin, reading, record(finding()), finish], { head, files: before });
      await play(review, played => {
        expect(played.outcome.review?.findings.map(f => f.proof?.kind)).toEqual(['test']);
        expectNothingSent(played);
        expect(JSON.stringify(played.github.state.reviews)).not.toContain(number);
      });
    },
  );

  it.runIf(playsVariants)('is the place of no finding of a scanner', async () => {
    const sarif = sarifOf(
      { path: 'secret/rates.json', line: 1, message: content },
      { path: 'src/price.js', line: 4, message: 'Ten times too much.' },
    );
    const given = (workspace: string) => writeFileSync(join(workspace, 'scan.sarif'), sarif);
    const inputs = { sarif: 'scan.sarif' };
    const config = { neverSend: [...withheld, 'scan.sarif'] };
    const script = [begin, { ...look, calls: look.calls?.slice(1) ?? [] }, repair, prove, done];
    await play({ files, cloned: given, config, inputs, task: '', script, event: push }, played => {
      expect(played.log).toContain('1 findings to repair');
      expect(played.outcome.delivered.pullRequestNumber, played.outcome.message).toBeDefined();
      expectNothingSent(played);
    });
  });

  it('cannot be written', async () => {
    await play({ files, script: [begin, write, write] }, ({ outcome }) => {
      expect(outcome).toMatchObject({ status: 'failed', code: 'PATH_PROTECTED' });
    });
  });
});
