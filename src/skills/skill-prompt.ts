/** What the model is told of an active skill: its tools, constraints, interface and bounds. Pure. */
import type { Skill, SkillInterface } from './skill.ts';
import type { SkillMessages } from './skill-messages.ts';

/** The minimal prompt of one active skill; its kernel is not in it (constitution §5.5). */
export function renderActive(skill: Skill, words: SkillMessages): string {
  const { name, allowedTools, constraints } = skill;
  const bounds = boundsOf(skill).join('; ');
  const rules = constraints.map(text => words('constraint', { text })).join('\n');
  return [
    words('active_skill', { name, tools: allowedTools.join(', ') || words('no_tools', {}) }),
    bounds === '' ? '' : words('enforced', { bounds }),
    rules === '' ? '' : words('constraints', { constraints: rules }),
    renderInterface(skill.interface, words),
  ]
    .filter(part => part !== '')
    .join('\n');
}

function renderInterface(parts: SkillInterface, words: SkillMessages): string {
  const said = (name: 'role' | 'input' | 'output' | 'success' | 'abstain') =>
    parts[name] === '' ? '' : words(name, { text: parts[name] });
  const steps = parts.steps.map((text, i) => words('step', { number: i + 1, text })).join('\n');
  const text = [
    said('role'),
    said('input'),
    steps === '' ? '' : words('steps', { steps }),
    said('output'),
    said('success'),
    said('abstain'),
  ]
    .filter(part => part !== '')
    .join('\n');
  return text === '' ? '' : words('interface', { text });
}

/** Guards and budgets in words. */
export function boundsOf({
  guards,
  budgets,
}: Pick<Skill, 'guards' | 'budgets'>): readonly string[] {
  const said: (string | false | undefined)[] = [
    guards.paths && `changes only ${guards.paths.join(', ')}`,
    guards.except && `never changes ${guards.except.join(', ')}`,
    guards.create === false && 'makes no new file',
    guards.delete === false && 'deletes no file',
    guards.suppress === false && 'silences no check and skips no test',
    guards.maxFiles !== undefined && `at most ${guards.maxFiles} files`,
    guards.maxLines !== undefined && `at most ${guards.maxLines} changed lines`,
    budgets.calls !== undefined && `at most ${budgets.calls} calls of its tools`,
    budgets.rounds !== undefined && `active for at most ${budgets.rounds} rounds`,
  ];
  return said.filter(s => typeof s === 'string');
}
