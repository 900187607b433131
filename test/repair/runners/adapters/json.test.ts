import { describe, expect, it } from 'vitest';
import { wasKilled } from '../../../../src/repair/runners/adapters/json.ts';

describe('a limit of processor time', () => {
  const caseOf = (id: string, file: string, message?: string) => ({
    id,
    file,
    status: message === undefined ? ('passed' as const) : ('failed' as const),
    ...(message === undefined ? {} : { message }),
  });
  const other = caseOf('a.test.js > other', 'a.test.js');

  it('ended a runner that left no report, or a worker whose file fails without a message', () => {
    // jest, by SIGKILL and by SIGXCPU; vitest goes on with the other files
    expect([137, 152, undefined].map(exitCode => wasKilled({ exitCode }, []))).toEqual([
      true,
      true,
      true,
    ]);
    expect(wasKilled({ exitCode: 1 }, [other, caseOf('b.test.js', 'b.test.js', '')])).toBe(true);
  });

  it('did not end one that fails for another reason', () => {
    expect(wasKilled({ exitCode: 1 }, [])).toBe(false);
    const broken = caseOf('b.test.js', 'b.test.js', 'SyntaxError: Unexpected token');
    expect(wasKilled({ exitCode: 1 }, [other, broken])).toBe(false);
    expect(wasKilled({ exitCode: 1 }, [caseOf('a.test.js > adds', 'a.test.js', '')])).toBe(false);
  });
});
