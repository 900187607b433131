/** A refusal as the model reads it: the code, what is missing, and what to do. Pure. */
import { codes } from '../../base/codes.ts';
import type { Refusal } from '../../guard/decide.ts';
import type { ToolCall } from '../../model/turn.ts';
import { findMeant } from '../../skills/tool-aliases.ts';
import { renderSkillError } from '../../tools/skill-activate.ts';
import { fill, type Profile } from '../context/profile.ts';

export interface RefusedCall {
  readonly call: ToolCall;
  /** Arguments that do not fit the schema, as they were received. */
  readonly received: readonly string[] | undefined;
  /** The skills that grant a tool that is not permitted. */
  readonly granting: readonly string[];
}

/** A refusal for the model; one of a skill call has the form of the answers to these calls. */
export function renderRefusal(
  templates: Profile['templates'],
  { call: { name }, received = [], granting }: RefusedCall,
  { code, evidence: found }: Refusal,
): string {
  const echoes = code === 'ARGUMENTS_INVALID' && received.length > 0;
  const evidence = echoes ? `${found} (received: ${received.join('; ')})` : found;
  // the name of another agent's tool
  const meant = code === 'TOOL_NOT_PERMITTED' ? findMeant(name) : undefined;
  const hint =
    granting.length > 0
      ? `Activate a skill that grants it: ${granting.slice(0, 5).join(', ')}.`
      : meant === undefined
        ? codes[code].hint
        : `${name} is ${meant} here.`;
  return name === 'skill_activate' || name === 'skill_deactivate'
    ? renderSkillError(`${code}: ${evidence}. ${hint}`)
    : fill(templates, 'refusal', { code, evidence, hint });
}
