/** Templates of a repository that cannot be used are refused with a reason. */
import { describe, expect, it } from 'vitest';
import { bodyProblem, titleProblem } from '../../src/base/delivery-settings.ts';

describe('templates of a repository', () => {
  it.each([
    ['{nope}', /not a placeholder/],
    ['text {prompt}', /alone/],
    ['  {prompt}', /start of its line/],
    ['```\n{prompt}\n```', /fences/],
    ['<!-- {title} -->', /comments/],
    ['<pre>\n{prompt}', /pre/],
    ['<TEXTAREA>', /textarea/],
    ['{title} {asked-by}\n\n{prompt}\n', /^$/],
  ])('%j as a body: %s', (text, problem) => expect(bodyProblem(text)).toMatch(problem));

  it.each([
    ['{prompt}', /not a placeholder of a title/],
    ['two\nlines', /one line/],
    ['fix: {title}', /^$/],
  ])('%j as a title: %s', (text, problem) => expect(titleProblem(text)).toMatch(problem));
});
