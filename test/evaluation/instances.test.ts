import { describe, expect, it } from 'vitest';
import { parseInstances, renderPredictions } from '../../src/evaluation/instances.ts';
import { result } from './results.ts';

describe('a task file', () => {
  const line = {
    instance_id: 'octo__shop-1',
    base_commit: 'a'.repeat(40),
    problem_statement: 'Prices are not rounded.',
    test_patch: 'diff',
    patch: '',
    FAIL_TO_PASS: '["tests/test_a.py::test_b"]',
    PASS_TO_PASS: [],
    repo: 'octo/shop',
  };

  it('holds lists, or lists as text', () => {
    const [task] = parseInstances(`${JSON.stringify(line)}\n\n`, 'f');
    expect(task?.FAIL_TO_PASS).toEqual(['tests/test_a.py::test_b']);
  });

  it.each([
    ['not JSON', '{'],
    ['another shape', JSON.stringify({ ...line, base_commit: 'main' })],
    ['a path as its name', JSON.stringify({ ...line, instance_id: '../../x' })],
    ['one name twice', `${JSON.stringify(line)}\n${JSON.stringify(line)}`],
  ])('is refused when it is %s', (_, text) => {
    expect(() => parseInstances(text, 'f')).toThrow(
      expect.objectContaining({ code: 'EVALUATION_INVALID' }),
    );
  });

  it('gets predictions in the form of its judge', () => {
    expect(renderPredictions([result('x', { patch: 'diff' })], 'photon-m')).toBe(
      '{"instance_id":"x","model_name_or_path":"photon-m","model_patch":"diff"}\n',
    );
  });
});
