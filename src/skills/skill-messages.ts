/** Texts around what a model is told of skills; they are the agent profile's. */

/** A text by its name in the profile's templates. */
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

/** The text of that name with its places filled. */
export type SkillMessages = (
  name: SkillText,
  values: Readonly<Record<string, string | number>>,
) => string;
