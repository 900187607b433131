import { describe, expect, it } from 'vitest';
import { type Adoption, adoptSkill } from '../../src/skills/adopt.ts';
import { parseBoundary } from '../../src/skills/boundary.ts';
import { checkSkill } from '../../src/skills/check-skill.ts';
import { tools } from '../../src/tools/index.ts';

const names = new Set(tools.map(t => t.name));
const core = tools.filter(t => t.core).map(t => t.name);
const place = { origin: 'repository', folder: 's/pdf', path: 's/pdf/SKILL.md' } as const;
const head = 'name: pdf\ndescription: Works on PDF files, when the task names one.';

function adopt(front: string, newline = '\n'): Adoption & { before: string } {
  const matter = `---\n${front}\n---\n`.replaceAll('\n', newline);
  const before = `${matter}# Body\r\n\n---\nphoton: of the body\n`;
  return { ...adoptSkill({ text: before, end: matter.length }, place, names), before };
}

/** The lines that the adopted text has and the text before has not, in order; undefined when others changed. */
function addedLines(before: string, after: string): readonly string[] | undefined {
  const added: string[] = [];
  const old = before.split('\n');
  let at = 0;
  for (const line of after.split('\n')) {
    if (line === old[at]) at += 1;
    else added.push(line);
  }
  return at === old.length ? added : undefined;
}

describe('adopting a skill of another agent', () => {
  it.each<[string, string, string, string]>([
    [
      'a list of tools',
      `${head}\nallowed-tools: Read, Grep, Glob, LS, Edit, MultiEdit, Write, NotebookEdit, Bash(git:*), WebFetch, mcp__x`,
      'read_code_block grep list_project_files list_project_files apply_patch apply_patch apply_patch apply_patch run_command (git …)',
      'WebFetch mcp__x',
    ],
    ['no list', `${head} # of the house\nmodel: x`, 'apply_patch run_command', ''],
    ['tools that only read', `${head}\nallowed-tools: [Read]`, 'read_code_block', ''],
    [
      'own keys of Photon',
      `${head}\nallowed-tools: Write\nphoton:\n    # ours\n    version: "2.0.0"\n    guards:\n        maxFiles: 2\nmodel: y`,
      'apply_patch',
      '',
    ],
    ['own keys and no list', `${head}\nphoton:\n  version: "2.0.0"`, 'apply_patch run_command', ''],
    ['an interface and no list', `${head}\ninterface: Text.`, 'apply_patch run_command', ''],
  ])('%s: it grants, and only whole lines are added', (_name, front, grants, unmapped) => {
    for (const newline of ['\n', '\r\n']) {
      const made = adopt(front, newline);
      if (made.kind !== 'adopted') throw new Error(JSON.stringify(made));
      expect(made.mapped.map(m => m.tool).join(' ')).toBe(grants);
      expect(made.unmapped.join(' ')).toBe(unmapped);
      const added = addedLines(made.before, made.text);
      expect(added?.[0]).toMatch(/^ *# added by photon skills adopt: review each line\r?$/);
      expect(added?.every(line => line.endsWith('\r') === (newline === '\r\n'))).toBe(true);
      const again = adoptSkill({ text: made.text, end: made.text.indexOf('# Body') }, place, names);
      expect(again.kind).toBe('usable');
    }
  });

  it('writes an interface from which role and plan can be built', () => {
    const made = adopt(`${head}\nallowed-tools: Edit Bash`);
    if (made.kind !== 'adopted') throw new Error(made.kind);
    const front = made.text.slice(0, made.text.indexOf('# Body'));
    const skill = parseBoundary(front, place);
    const kernel = 'How it is done. '.repeat(10);
    const check = checkSkill({ skill, kernel, files: [] }, { all: [...names], core });
    expect(check.gaps).toEqual([]);
  });

  it.each([
    [
      'tools that Photon does not have',
      `${head}\nallowed-tools: WebFetch`,
      "none of its tools is one of Photon's: WebFetch",
    ],
    ['an empty list', `${head}\nallowed-tools: []`, 'it states that it uses no tool'],
    ['photon on one line', `${head}\nphoton: { version: "1.0.0" }`, 'add interface by hand'],
    ['YAML that cannot be read', 'name: pdf\nlicense: a: b', 's/pdf/SKILL.md:3: front matter: '],
  ])('%s: refused with the reason', (_name, front, reason) => {
    const made = adopt(front);
    expect(made.kind === 'refused' && made.reason).toContain(reason);
  });

  it('leaves a skill alone that grants tools and has an interface', () => {
    expect(adopt(`${head}\nallowed-tools: Edit\ninterface: Text.`).kind).toBe('usable');
  });

  it('leaves a skill alone that grants tools, where no interface can be added', () => {
    const made = adopt(`${head}\nallowed-tools: Edit\nphoton: { version: "1.0.0" }`);
    expect(made).toMatchObject({ kind: 'usable', text: made.before });
    expect(made.kind === 'usable' && made.notes.join()).toContain('add interface by hand');
  });
});
