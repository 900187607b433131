/** A template that cannot be used is refused with a reason. */
import { describe, expect, it } from 'vitest';
import { titleProblem } from '../../src/base/delivery-settings.ts';

describe('the template of titles', () => {
  it.each([
    ['{prompt}', /not a placeholder of a title/],
    ['two\nlines', /one line/],
    ['fix: {title}', /^$/],
  ])('%j as a title: %s', (text, problem) => expect(titleProblem(text)).toMatch(problem));
});
