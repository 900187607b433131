/** Every workflow in examples/: its inputs through the parser of the Action. `workflows.test.ts` lints and audits it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadSettings } from '../src/agent/context/policy.ts';
import { openFolderFiles } from '../src/workspace/trusted/trusted-files.ts';
import { startPhoton } from './process.ts';
import { root } from './root.ts';

const folder = join(root, 'examples');
const files = readdirSync(folder).filter(name => name.endsWith('.yml'));
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
const trusted = openFolderFiles(join(root, 'test', 'fixtures', 'none'));

interface Workflow {
  readonly name: string;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Job {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps?: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Record<string, unknown>;
  }[];
}

/** What the runner would put in place of an expression. */
const filled = (value: unknown) => String(value).replace(/\$\{\{.*?\}\}/g, '1');

describe('the example with an MCP server', () => {
  const place = join(folder, 'mcp');

  it('has a skill that lacks nothing and grants tools of its configuration', async () => {
    const out = await startPhoton({
      args: ['skills', 'check', '--repo', place],
      cwd: place,
      env: { PATH: process.env.PATH ?? '', HOME: place },
    });
    expect(out.out).toContain('complete architecture-notes');
    expect(out.out).not.toContain('mcp:');
  });
});

describe('every example', () => {
  it('is on the page, and the page names no other', () => {
    const page = readFileSync(join(folder, 'README.md'), 'utf8');
    const named = [...page.matchAll(/\]\(([\w-]+\.yml)\)/g)].map(m => m[1] ?? '');
    expect(named.sort()).toEqual([...files].sort());
    const titles = files.map(name => (parse(textOf(name)) as Workflow).name);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it.each(files)('%s has inputs that the Action accepts, and can be stopped', async name => {
    const { jobs } = parse(textOf(name)) as Workflow;
    const called = Object.values(jobs).filter(job => job.uses !== undefined);
    for (const { uses = '', with: given = {} } of called) {
      const path = uses.replace(/^photon\/agent-action\//, '').replace(/@.*/, '');
      const callee = parse(readFileSync(join(root, path), 'utf8')) as {
        on: { workflow_call: { inputs: object } };
      };
      expect(Object.keys(callee.on.workflow_call.inputs)).toEqual(
        expect.arrayContaining(Object.keys(given)),
      );
    }
    const steps = Object.values(jobs).flatMap(job => job.steps ?? []);
    const own = steps.filter(step => step.uses?.startsWith('photon/agent-action@'));
    expect(own.length + called.length).toBe(1);
    for (const { with: given = {} } of own) {
      const inputs = Object.fromEntries(
        Object.entries(given).map(([input, value]) => [input, filled(value)]),
      );
      await expect(loadSettings(inputs, trusted)).resolves.toMatchObject({ model: inputs.model });
      expect(textOf(name)).toContain("vars.PHOTON_DISABLED != 'true'");
    }
  });
});
