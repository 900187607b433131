/** Names the profile templates that present skills to the model. */

/** Name of a template in the agent profile. */
export type SkillText =
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
