/** What the expressions of a workflow use, and what of it a workflow of Photon does not have. Pure. */

/** Places whose values a workflow of Photon does not have, and what a note calls them. */
const places: Readonly<Record<string, string>> = {
  steps: 'another step',
  needs: 'another job',
  env: 'env',
  matrix: 'the matrix',
  inputs: 'the inputs of their workflow',
  secrets: 'the workflow that calls theirs',
};

/** Which values a planned workflow lacks, besides those of steps, jobs, `env` and the matrix. */
export interface Lacking {
  /** True for a workflow that others call: its inputs and secrets are theirs to give. */
  readonly isCalled: boolean;
  /** True if `workflow_dispatch` keeps its inputs. */
  readonly keepsInputs: boolean;
}

/** What the code of an expression takes from elsewhere, in words for a note; undefined for nothing. */
export function findElsewhere(code: string, { isCalled, keepsInputs }: Lacking) {
  const names = ['steps', 'needs', 'env', 'matrix'];
  if (isCalled || !keepsInputs) names.push('inputs');
  if (isCalled) names.push('secrets');
  const own = code.replace(/\bsecrets\.GITHUB_TOKEN\b/g, '');
  const name = names.find(each => new RegExp(`\\b${each}\\s{0,9}[.[]`).test(own));
  return name === undefined ? undefined : places[name];
}

/** Like `findElsewhere`, of the expressions inside a text. */
export function findElsewhereIn(text: string, lacking: Lacking) {
  const [, ...parts] = text.split('$' + '{{');
  return parts.map(part => findElsewhere(part.split('}}')[0] ?? '', lacking)).find(Boolean);
}

/** The code of a condition, without the marks around it; undefined if there are marks inside it. */
export function readCondition(condition: string): string | undefined {
  const text = condition.trim();
  const code = text.startsWith('$' + '{{') && text.endsWith('}}') ? text.slice(3, -2) : text;
  return /\$\{\{|\}\}/.test(code) ? undefined : code.trim();
}

/** A condition without what it negates: `!f(…)` and `!(…)`. */
export function withoutNegated(condition: string): string {
  const kept: string[] = [];
  let depth = 0;
  let isNegated = false;
  for (const [token] of condition.matchAll(/'[^']*'|!=|&&|\|\||[^'!()&|]+|[!()'&|]/g)) {
    if (token === '!' && !isNegated) [isNegated, depth] = [true, 0];
    else if (!isNegated) kept.push(token);
    else if (token === '(') depth++;
    else if (token === ')') depth--;
    // the operand ends with its parentheses, or with the name that stands alone
    if (isNegated && token === ')' && depth <= 0) {
      isNegated = false;
      if (depth < 0) kept.push(token);
    } else if (isNegated && depth === 0 && (token === '&&' || token === '||')) isNegated = false;
  }
  return kept.join('');
}
