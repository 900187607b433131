/** Compares the bytes that skills add to a prompt: all at once, or names first and each skill when it is activated. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSkills, toolNames } from '../src/agent/context/skills.ts';
import { loadSkills } from '../src/skills/load.ts';
import { readSkillFolder } from '../src/skills/skill-manager.ts';
import { openShipped } from '../src/workspace/trusted/shipped.ts';
import { openFolderFiles, type TrustedFiles } from '../src/workspace/trusted/trusted-files.ts';
import { shippedProfile } from '../test/doubles/engine.ts';
import { discard, makeFolder, root } from '../test/harness.ts';
import { median, row } from './figures.ts';

const task = 'Make the failing test of the price module pass.';

/** Writes real skills, repeated under other names up to a count. */
async function manySkills(folder: string, count: number): Promise<void> {
  const photon = openShipped(root).skills;
  const shipped = (await photon.list('')).filter(p => p.endsWith('/SKILL.md'));
  for (let i = 0; i < count; i++) {
    const path = shipped[i % shipped.length] ?? '';
    const name = path.split('/')[0] ?? '';
    const text = Buffer.from((await photon.read(path)) ?? []).toString();
    mkdirSync(join(folder, 'skills', `${name}-${i}`), { recursive: true });
    writeFileSync(
      join(folder, 'skills', `${name}-${i}`, 'SKILL.md'),
      text.replace(`name: ${name}`, `name: ${name}-${i}`),
    );
  }
}

/** Files that count the bytes read. */
function counting(files: TrustedFiles) {
  const reads = { bytes: 0 };
  const head: TrustedFiles['head'] = async (path, maxBytes, isEnough) => {
    const found = await files.head(path, maxBytes, isEnough);
    reads.bytes += found?.bytes.length ?? 0;
    return found;
  };
  return { reads, files: { ...files, head } };
}

export async function benchSkills(): Promise<void> {
  for (const count of [10, 200, 2000]) await measure(count);
}

async function measure(count: number): Promise<void> {
  const folder = makeFolder();
  try {
    await manySkills(folder, count);
    const times: number[] = [];
    for (let i = 0; i < 3; i++) {
      const from = performance.now();
      const repository = openFolderFiles(folder);
      await loadSkills(['skills'], { photon: repository, repository });
      times.push(performance.now() - from);
    }
    const { reads, files } = counting(openFolderFiles(folder));
    const source = { photon: files, repository: files };
    const { skills } = await loadSkills(['skills'], source);
    let whole = 0;
    let kernels = 0;
    for (const skill of skills) {
      whole += (await files.read(`${skill.folder}/SKILL.md`))?.length ?? 0;
      kernels += Buffer.byteLength((await readSkillFolder(skill, files)).kernel);
    }
    const profile = shippedProfile('photon');
    const allowed = {
      skills,
      leftOutSkills: new Map<string, string>(),
      skillSource: source,
      profile,
    };
    const manager = await openSkills(allowed, { task, tools: toolNames });
    const discovery = Buffer.byteLength(manager.getSkillDiscoveryPrompt());
    const name = skills.find(s => s.name.startsWith('test-repair'))?.name ?? '';
    const answer = await manager.activate(name);
    const kernel = answer.ok ? Buffer.byteLength(answer.activated[0]?.body.core ?? '') : 0;
    const active = Buffer.byteLength(manager.getActiveSkillsPrompt());
    row(`${count} skills: bytes of all SKILL.md in the prompt`, `${whole}`, '');
    row('  names first (discovery prompt)', `${discovery}`, 'bounded at 2000');
    row('  and one activated: prompt + kernel, once', `${active} + ${kernel}`, '');
    const justInTime = discovery + active + kernel;
    row('  full injection / just in time', `${(whole / justInTime).toFixed(1)} x`, '');
    row('  bytes read at the start / in all', `${reads.bytes} / ${whole}`, '');
    row('  bytes of bodies, decoded at the start', `0 / ${kernels}`, '');
    row('  time to load the metadata', `${median(times).toFixed(0)} ms`, '');
  } finally {
    discard(folder);
  }
}
