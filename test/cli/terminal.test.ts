import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startModel } from '../doubles/model.ts';
import { repairScript, sampleTask } from '../doubles/sample.ts';
import { discard, root } from '../harness.ts';
import { startPhoton } from '../process.ts';
import { has, needs } from '../programs.ts';
import { clone, folder, photon, repo } from './clone.ts';

describe('a terminal of its own', () => {
  it.runIf(has('namespaces'))(
    `shows colours and a live line there, and neither with NO_COLOR in a pipe ${needs('namespaces')}`,
    async () => {
      clone();
      try {
        const model = await startModel(repairScript);
        const env = {
          ...{ PATH: process.env.PATH ?? '', HOME: folder, TMPDIR: folder, TERM: 'xterm' },
          ...{ PHOTON_API_KEY: 'k', PHOTON_BASE_URL: model.url, PHOTON_MODEL: 'double' },
        };
        const script = join(folder, 'start.sh');
        const command = [process.execPath, join(root, 'dist/photon.js'), 'run', '--repo', repo];
        const line = [...command, '--task', sampleTask].map(a => `'${a}'`).join(' ');
        writeFileSync(script, `#!/bin/sh\nstty cols 60\nexec ${line}\n`);
        chmodSync(script, 0o755);
        const seen = await runOnTerminal(script, env);
        await model.close();
        expect(seen).toContain('\u001b[32m\u001b[1m✓\u001b[22m\u001b[39m written');
        const live = [...seen.matchAll(/\r\u001b\[2K([^\r\n]+)/g)].map(m => m[1] ?? '');
        expect(live.some(l => /^\S (starting|planning|searching|testing) 0:0\d/.test(l))).toBe(
          true,
        );
        expect(live.filter(l => /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(l)).every(l => l.length < 60)).toBe(true);
        const plain = await photon(['show', '--repo', repo], { NO_COLOR: '1' });
        expect(plain.out).not.toContain('\u001b');
        const forced = await startPhoton({
          args: ['show', '--repo', repo],
          cwd: folder,
          env: { PATH: env.PATH, HOME: folder, FORCE_COLOR: '1' },
          started: () => {},
        });
        expect(forced.out).toContain('\u001b[32m');
      } finally {
        discard(folder);
      }
    },
  );

  async function runOnTerminal(script: string, env: Record<string, string>): Promise<string> {
    const child = spawn('script', ['-qec', script, '/dev/null'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let seen = '';
    child.stdout.on('data', text => {
      seen += text;
    });
    await new Promise(resolve => child.on('close', resolve));
    return seen;
  }
});
