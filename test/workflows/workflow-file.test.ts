import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderTasks, parseWorkflow } from '../../src/workflows/workflow-file.ts';

const parse = (text: string) => parseWorkflow(text, { name: 'w', file: 'w.yml' });

const good = `# a workflow
tasks:
  - id: build
    prompt: |
      Build it.

      Then stop.
    depends_on: [design]
    verify: none
  - id: design
    prompt: Design it.
    skills: [debugging]
    outputs:
      - description: The design
        path: docs/design.md
      - description: Drawings
        path: docs/drawings/
    review: required
`;

describe('a workflow file', () => {
  it.each([
    [
      'a map of many keys',
      Array.from({ length: 4_000 }, (_, n) => `k${n}: 1`).join('\n'),
      'too many keys',
    ],
    ['more text than its tasks can hold', '#'.repeat(4_000_001), 'more than 4000000 characters'],
    ['levels without end', `a: ${'['.repeat(20_000)}`, 'w.yml:1'],
  ])('with %s is refused', (_what, text, says) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'WORKFLOW_INVALID', message: expect.stringContaining(says) }),
    );
  });

  it('is read, in dependency order', () => {
    expect(parse(good).tasks).toEqual([
      {
        id: 'design',
        prompt: 'Design it.',
        skills: ['debugging'],
        dependsOn: [],
        outputs: [
          { description: 'The design', path: 'docs/design.md' },
          { description: 'Drawings', path: 'docs/drawings/' },
        ],
        verify: '',
        review: true,
      },
      {
        id: 'build',
        prompt: 'Build it.\n\nThen stop.',
        dependsOn: ['design'],
        outputs: [],
        verify: 'none',
        review: false,
      },
    ]);
    expect(parse(`---\n${good}`).tasks).toHaveLength(2);
  });

  const one = (...lines: string[]) => `tasks:\n  - id: a\n    prompt: x\n${lines.join('\n')}\n`;
  const out = (path: string) => `    outputs:\n      - description: d\n        path: ${path}`;
  const quoted = (description: string, path: string) =>
    `    outputs:\n      - description: "${description}"\n        path: "${path}"`;
  const inside = 'must be a path inside the repository';
  it.each([
    ['an empty file', '', 1, 'tasks: is missing'],
    ['no tasks', 'tasks: []\n', 1, 'at least one task'],
    ['bad YAML', 'tasks:\n  - id: a\n    prompt: "x\n', 4, 'Missing closing'],
    ['two documents', `${good}---\ntasks: []\n`, 19, 'one YAML document'],
    ['an unknown key', one('    promt: y'), 2, 'promt'],
    ['a bad id', 'tasks:\n  - prompt: x\n    id: a b\n', 3, 'use letters'],
    ['no prompt', 'tasks:\n  - id: a\n', 2, 'tasks[0].prompt'],
    [
      'an id twice',
      one('  - id: b', '    prompt: x', '  - prompt: y', '    id: a'),
      7,
      'second time',
    ],
    ['a missing dependency', one('    depends_on:', '      - b'), 4, 'there is no task b'],
    ['itself', one('    depends_on: [a]'), 4, 'wait for each other: a'],
    [
      'a circle',
      one('    depends_on: [b]', '  - id: b', '    prompt: x', '    depends_on: [a]'),
      4,
      'wait for each other: a, b',
    ],
    ['a path that leads out', one(out('docs/../../x')), 6, inside],
    ['an absolute path', one(out('/etc/x')), 6, inside],
    ['git', one(out('a/.GIT/x')), 6, inside],
    ['backslashes', one(out('a\\..\\b')), 6, inside],
    [
      'a path twice',
      one(out('docs'), '      - description: e', '        path: docs/'),
      8,
      'second time',
    ],
    ['a NUL in a description', one(quoted('d\\0', 'docs/a')), 5, 'control characters'],
    ['half a character', one(quoted('\\ud800', 'docs/a')), 5, 'control characters'],
    ['half a character in a path', one(quoted('d', '\\udc00')), 6, inside],
    ['another review', one('    review: maybe'), 4, 'review'],
    ['a bad id in flow style', 'tasks: [\n  { prompt: x,\n    id: a b }]\n', 3, 'use letters'],
    [
      'a bad id behind an alias',
      'tasks:\n  - &a\n    id: a b\n    prompt: x\n  - *a\n',
      3,
      'use letters',
    ],
    ['many aliases', `tasks: &a [${'*a,'.repeat(200)}]\n`, 1, ''],
    ['a key twice', 'tasks: []\nparallel: 1\nparallel: 2\n', 3, 'unique'],
    ['deep nesting', `tasks: ${'['.repeat(20_000)}\n`, 1, ''],
  ])('with %s is refused at its line', (_name, text, line, message) => {
    const failed = (() => {
      try {
        return parse(text);
      } catch (error) {
        return error;
      }
    })();
    expect(failed).toMatchObject({ code: 'WORKFLOW_INVALID' });
    expect((failed as Error).message).toContain(`w.yml:${line}: `);
    expect((failed as Error).message).toContain(message);
  });

  it('tells of every problem at once', () => {
    expect(() => parse('tasks:\n  - id: a\n  - id: b\n')).toThrow(/w\.yml:2: .*\nw\.yml:3: /);
  });
});

const graph = fc.integer({ min: 1, max: 8 }).chain(n =>
  fc.array(fc.array(fc.integer({ min: 0, max: n - 1 }), { maxLength: 3 }), {
    minLength: n,
    maxLength: n,
  }),
);

describe('the order of tasks', () => {
  it('puts each behind its dependencies, or names a real circle', () => {
    fc.assert(
      fc.property(graph, edges => {
        const tasks = edges.map((to, i) => ({ id: `t${i}`, dependsOn: to.map(d => `t${d}`) }));
        const ordered = orderTasks(tasks);
        if ('order' in ordered) {
          const done = new Set<string>();
          for (const task of ordered.order) {
            expect(task.dependsOn.every(d => done.has(d))).toBe(true);
            done.add(task.id);
          }
          expect(done.size).toBe(tasks.length);
          return;
        }
        const { cycle } = ordered;
        expect(cycle.length).toBeGreaterThan(0);
        for (const id of cycle)
          expect(tasks.find(t => t.id === id)?.dependsOn.some(d => cycle.includes(d))).toBe(true);
      }),
    );
  });
});
