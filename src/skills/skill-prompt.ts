/** What the model is told of an active skill: its tools, constraints, interface and bounds. Pure. */
import type { Skill, SkillInterface } from './skill.ts';

/** The minimal prompt of one active skill; its kernel is not in it (constitution §5.5). */
export function renderActive(skill: Skill): string {
  const { name, allowedTools, constraints } = skill;
  const bounds = boundsOf(skill);
  return [
    `# Active skill: ${name}`,
    `Allowed tools: ${allowedTools.join(', ') || 'none'}`,
    ...(bounds.length === 0 ? [] : [`Enforced: ${bounds.join('; ')}`]),
    ...(constraints.length === 0 ? [] : ['Constraints:', ...constraints.map(c => `- ${c}`)]),
    ...interfaceLines(skill.interface),
  ].join('\n');
}

function interfaceLines(parts: SkillInterface): readonly string[] {
  const lines = [
    ...labelled('Role', parts.role),
    ...labelled('Input', parts.input),
    ...(parts.steps.length === 0
      ? []
      : ['Steps:', ...parts.steps.map((step, i) => `${i + 1}. ${step}`)]),
    ...labelled('Output', parts.output),
    ...labelled('Success', parts.success),
    ...labelled('Abstain', parts.abstain),
  ];
  return lines.length === 0 ? [] : ['Interface:', ...lines];
}

function labelled(label: string, text: string): readonly string[] {
  return text === '' ? [] : [`${label}: ${text}`];
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
