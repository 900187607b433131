/** clarify: ends the run with one blocking question, for one of three reasons (constitution §9). */
import * as z from 'zod';
import type { Code } from '../base/codes.ts';
import type { NamedConstraint } from '../guard/policy/named-constraint.ts';
import { constraintDigest } from '../skills/skill.ts';
import { howToPermit } from '../verify/judge/asked-changes.ts';
import { aside, defineTool } from './tool.ts';

const reasons = {
  destructive_paths: 'CLARIFY_DESTRUCTIVE',
  unresolved_symbol: 'CLARIFY_UNRESOLVED',
  conflicting_constraints: 'CLARIFY_CONFLICT',
} as const satisfies Record<string, Code>;

const schema = z.strictObject({
  reason: z.enum(['destructive_paths', 'unresolved_symbol', 'conflicting_constraints']),
  question: z.string().min(1).max(300),
  choices: z.array(z.string().min(1).max(200)).max(5).optional(),
  symbol: z.string().min(1).max(200).optional(),
  destroys: z
    .array(z.string().refine(text => /^[1-5]: ./.test(text), 'expected "N: file"'))
    .max(50)
    .optional()
    .meta(aside('"N: file" that choice N deletes or overwrites')),
  constraints: z
    .array(z.string().min(1).max(500))
    .max(8)
    .optional()
    .meta(aside('codes, limits, skills, "skill: quote"')),
});

type Question = z.infer<typeof schema>;

export const clarify = defineTool({
  name: 'clarify',
  description: 'End with one blocking question.',
  core: true,
  step: 'abort',
  schema,
  claims: args => {
    const destroys = listDestroyed(args);
    return [
      {
        kind: 'clarify',
        reason: args.reason,
        destroys,
        constraints: (args.constraints ?? []).map(parseConstraint),
        symbol: args.symbol,
      },
      ...[...new Set(destroys.flat())].map(path => ({ kind: 'destroy', path }) as const),
    ];
  },
  run: async (args, context) => ({
    text: 'The run ends.',
    end: {
      status: 'needs_clarification',
      code: reasons[args.reason],
      statement: context.scrub(
        asksForTests(args) ? `${args.question}\n${howToPermit}` : args.question,
      ),
      choices: args.choices ?? [],
    },
  }),
});

/** True for a question whether the patch may change what tests expect. */
function asksForTests({ reason, constraints = [] }: Question): boolean {
  return reason === 'conflicting_constraints' && constraints.includes('VERIFY_TESTS_CHANGED');
}

/** For each choice, in order, the files that it destroys. */
function listDestroyed({ choices = [], destroys = [] }: Question): readonly (readonly string[])[] {
  return choices.map((_, i) =>
    destroys.filter(text => text.startsWith(`${i + 1}: `)).map(text => text.slice(3).trim()),
  );
}

/** `skill: text` quotes a constraint of a skill; anything else is a name. */
function parseConstraint(text: string): NamedConstraint {
  const [, skill, quote] = /^([\p{L}\p{N}_-]{1,64}):\s+(\S.*)$/su.exec(text) ?? [];
  return skill === undefined || quote === undefined
    ? { name: text.slice(0, 200) }
    : { skill, quote: constraintDigest(quote) };
}
