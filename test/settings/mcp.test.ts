/** The servers of a configuration. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/settings/settings.ts';

describe('the names of tools', () => {
  it.each([
    ['two tools with one name', { a: { 'x.y': 'read-only', x_y: 'read-only' } }],
    ['a server with a slash', { 'a/b': { x: 'read-only' } }],
    ['an effect that does not exist', { a: { x: 'writes' } }],
  ])('are refused in a configuration: %s', (_, given) => {
    const servers = Object.fromEntries(
      Object.entries(given).map(([name, tools]) => [name, { command: ['x'], tools }]),
    );
    expect(() => parseConfig(JSON.stringify({ mcp: { servers } }), 'c.json')).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});
