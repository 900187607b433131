import { describe, expect, it } from 'vitest';
import { plainCommand } from '../../../../src/ecosystems/commands/parse-command.ts';
import { parseGo } from '../../../../src/repair/runners/adapters/go.ts';
import { runPattern } from '../../../../src/repair/runners/adapters/go-output.ts';

describe('go test', () => {
  it('is parsed as a command', () => {
    const of = (line: string) => parseGo(plainCommand(line, undefined) ?? { env: [], words: [] });
    expect(of('go test -v -race -tags slow -timeout 30s -coverprofile=c.out ./...')).toEqual({
      flags: ['-race', '-tags', 'slow'],
      packages: ['./...'],
    });
    expect(of('go vet ./...')).toBeUndefined();
    expect(of('go test ./... -args -x')).toBeUndefined();
    expect(runPattern('TestTotal/of_(one)')).toBe('^TestTotal$/^of_\\(one\\)$');
  });
});
