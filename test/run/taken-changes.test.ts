/** What a command wrote to project files is put back, shown, and taken over by apply_patch where the model says so. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { begin, done, look, prove, repair } from '../doubles/sample.ts';
import { call, command, giveUp, planOf, replaceLine, say, turn } from '../doubles/steps.ts';
import { play, toldOf } from './scenario.ts';

const plan = say(planOf(['src/price.js', 'README.md', 'src/new.js'], 60));
const repairing =
  "node -e \"const fs = require('fs'); const f = 'src/price.js'; fs.writeFileSync(f, fs.readFileSync(f, 'utf8').replace('/ 10)', '/ 100)'))\"";
const list = turn('list_project_files');
const take = call('apply_patch', { from_command: true });

describe('what a command wrote', () => {
  it('is shown with its numbers, and taken over by a call of its own', async () => {
    const moving = `${repairing} && chmod +x src/price.js && printf '#!/bin/sh\\n' > src/new.js && chmod +x src/new.js`;
    const script = [begin, plan, list, say(command(moving)), say(take), prove, done];
    await play({ script }, ({ model, outcome, patch, github }) => {
      const told = toldOf(model);
      expect(told).toContain('put back, not in the patch; apply_patch changes files: src/price.js');
      expect(told).toMatch(
        /\[#[0-9a-f]{8}: apply_patch \{\\+"from_command\\+": \\+"[0-9a-f]{8}\\+"\} takes it over\]/,
      );
      expect(told).toContain(
        '4\\t-  return Math.round(total * (1 - discountPercent / 10));\\n\\t+  return',
      );
      expect(outcome).toMatchObject({ status: 'committed' });
      expect(patch).toContain('+  return Math.round(total * (1 - discountPercent / 100));');
      expect(patch).toContain('old mode 100644\nnew mode 100755');
      const [branch = ''] = Object.keys(github.store.refs()).filter(name => /photon/.test(name));
      const tree = github.store.tryGit(['ls-tree', branch, 'src/']);
      expect(tree).toMatch(/^100755 .*src\/new\.js\n100755 .*src\/price\.js/);
    });
  });

  it('is not taken over in the reply that runs the command, nor over a file that changed since', async () => {
    const change = say(replaceLine('src/price.js', 4, '  return 0;'));
    const both = say(command(repairing), take);
    await play(
      { script: [begin, plan, list, both, change, say(take), giveUp] },
      ({ model, ledgerText }) => {
        const told = toldOf(model);
        expect(told).toContain(
          'Nothing was changed: the diff of the command is in the results of this reply.',
        );
        expect(told).toContain('src/price.js: changed since the command; run it again');
        expect(ledgerText).toContain('"code":"ARGUMENTS_INVALID"');
      },
    );
  });

  it('holds deleted files, and new ones that the plan names and git does not ignore', async () => {
    const writing =
      'rm README.md; echo "export {};" > src/new.js; echo x > src/other.js; chmod +x src/price.js src/new.js';
    await play(
      { script: [begin, plan, list, say(command(writing)), say(take), giveUp] },
      ({ model, session, outcome }) => {
        const told = toldOf(model);
        expect(told).toContain('README.md, deleted');
        expect(told).toContain('src/new.js: new, 1 lines, executable');
        expect(told).toContain('src/price.js, now executable');
        expect(told).toContain('left out, because the plan does not name them: src/other.js');
        expect(JSON.stringify(outcome)).not.toContain('src/other.js');
        expect(told).toMatch(/README\.md: \+0 -3, deleted/);
        expect(told).toMatch(/src\/price\.js: \+0 -0, now 10 lines, now executable/);
        expect(session?.changes.map(c => [c.path, c.after?.mode])).toEqual([
          ['README.md', undefined],
          ['src/new.js', '100755'],
          ['src/price.js', '100755'],
        ]);
      },
    );
  });

  it('is named by its submodule where it moves one or changes its files, and the outcome says that too', async () => {
    const module = { mode: '160000', content: '1'.repeat(40) } as const;
    const files = { one: module, two: module, three: module, 'lib/four': module };
    const commit = 'commit -q --allow-empty -m x';
    const moving = [
      `git init -q one && git -C one -c user.name=x -c user.email=x@example.com ${commit}`,
      `git update-index --cacheinfo 160000,${'2'.repeat(40)},two && rmdir three && echo y > lib/four/f`,
      repairing,
    ].join(' && ');
    const script = [begin, plan, list, say(command(moving)), say(take), look, repair, prove, done];
    const cloned = (workspace: string) => writeFileSync(join(workspace, 'lib/four/f'), 'x\n');
    await play({ script, files, cloned }, ({ model, outcome, patch, github }) => {
      const told = toldOf(model);
      const held = '[not in the patch, which can hold no submodule: lib/four, one, three, two]';
      expect(told).toContain(held);
      expect(told).toContain('one: a submodule, which a patch cannot hold');
      expect(outcome).toMatchObject({ status: 'committed', verification: { passed: true } });
      expect(patch).not.toContain('160000');
      const says =
        'A command moved or removed the submodules one, three, two. The patch leaves that out, because it can hold no submodule.';
      expect(outcome.notes).toContain(says);
      expect(told).not.toContain('four: a submodule');
      expect([...github.state.pulls.values()][0]?.body).toContain(says);
    });
  });
});
