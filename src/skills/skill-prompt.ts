/** Renders what the model sees of an active skill: tools, constraints, interface and limits. */
import { listGrantedTools, type Skill, type SkillInterface } from './skill.ts';

/** The short prompt of an active skill, without its body. */
export function renderActive(
  skill: Skill,
  tools: ReadonlySet<string>,
  messages: SkillMessages,
): string {
  const { name, description, constraints } = skill;
  const shown = [...new Set(listGrantedTools(skill, tools).map(t => t.shown))];
  const bounds = describeBounds(skill).join('; ');
  const rules = constraints.map(text => messages('constraint', { text })).join('\n');
  return [
    messages('active_skill', {
      name,
      description,
      tools: shown.join(', ') || messages('no_tools', {}),
    }),
    bounds === '' ? '' : messages('enforced', { bounds }),
    rules === '' ? '' : messages('constraints', { constraints: rules }),
    renderInterface(skill.interface, messages),
  ]
    .filter(text => text !== '')
    .join('\n');
}

function renderInterface(parts: SkillInterface, messages: SkillMessages): string {
  const part = (name: 'role' | 'input' | 'output' | 'success' | 'abstain') =>
    parts[name] === '' ? '' : messages(name, { text: parts[name] });
  const steps = parts.steps.map((text, i) => messages('step', { number: i + 1, text })).join('\n');
  const text = [
    part('role'),
    part('input'),
    steps === '' ? '' : messages('steps', { steps }),
    part('output'),
    part('success'),
    part('abstain'),
  ]
    .filter(text => text !== '')
    .join('\n');
  return text === '' ? '' : messages('interface', { text });
}

export function describeBounds({
  guards,
  budgets,
}: Pick<Skill, 'guards' | 'budgets'>): readonly string[] {
  const phrases: (string | false | undefined)[] = [
    guards.paths && `changes only ${guards.paths.join(', ')}`,
    guards.except && `never changes ${guards.except.join(', ')}`,
    guards.create === false && 'creates no file',
    guards.delete === false && 'deletes no file',
    guards.suppress === false && 'silences no check, skips no test',
    guards.maxFiles !== undefined && `at most ${guards.maxFiles} files`,
    guards.maxLines !== undefined && `at most ${guards.maxLines} changed lines`,
    budgets.calls !== undefined && `at most ${budgets.calls} calls of its tools`,
    budgets.rounds !== undefined && `active for at most ${budgets.rounds} rounds`,
  ];
  return phrases.filter(s => typeof s === 'string');
}

/** Name of a template in the agent profile. */
type SkillText =
  | 'skills'
  | 'skill'
  | 'other_skills'
  | 'more_skills'
  | 'active_skill'
  | 'no_tools'
  | 'enforced'
  | 'constraints'
  | 'constraint'
  | 'interface'
  | 'role'
  | 'input'
  | 'steps'
  | 'step'
  | 'output'
  | 'success'
  | 'abstain';

/** Renders the template of that name with its placeholders filled. */
export type SkillMessages = (
  name: SkillText,
  values: Readonly<Record<string, string | number>>,
) => string;
