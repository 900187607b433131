/** A template of a repository, filled. */
import { describe, expect, it } from 'vitest';
import { renderPullRequest } from '../../../src/report/pull-request/pull-request.ts';
import { outcome, silent, task, template } from '../hostile-outcomes.ts';

describe('what is cut', () => {
  it('leaves out whole parts of a template, with the address of what holds them', () => {
    const input = '語'.repeat(20_000);
    const files = Array.from({ length: 400 }, (_, i) => ({
      path: `${'語'.repeat(110)}${i}`,
      change: 'added' as const,
      added: 1,
      removed: 0,
    }));
    const end = { ...outcome(input), patch: { ...outcome('x').patch, files } };
    const bodyTemplate = `${template}\n${'own input '.repeat(1900)}`;
    const { body, marker } = renderPullRequest(task(input), end, {
      ...silent,
      titleTemplate: '',
      bodyTemplate,
    });
    expect(Buffer.byteLength(body)).toBeLessThan(65_536);
    expect(body.endsWith(`${marker}\n`)).toBe(true);
    expect(body).toContain('](https://github.example/o/r/actions/runs/1)');
    expect(body.match(/^`{3,}/gm)?.length ?? 0).toSatisfy((n: number) => n % 2 === 0);
  });
});
