import { expect, it } from 'vitest';
import { namesPrograms } from '../../src/guard/named-programs.ts';

it.each([
  ['mcp.json', '{"servers":{"x":{"command":"sh"}}}'],
  ['opencode.json', '{ "mcp": {} }'],
  ['main.tf', 'resource "a" "b" {}'],
  ['k8s/web.yaml', 'apiVersion: apps/v1\nkind: Deployment\n'],
  ['CMakeUserPresets.json', '{"configurePresets": []}'],
  ['addon.node', ''],
  ['lib/libx.so.1', ''],
  ['docs/conf.py', 'extensions = []'],
  ['deploy/web.service', 'ExecStart=/bin/sh'],
  ['tool.toml', 'plugins = ["./x"]'],
])('%s is read by programs, which run what it names', (path, text) =>
  expect(namesPrograms(path, text, text)).toBe(true),
);

it.each([
  ['data/prices.json', '{"total": 1800}'],
  ['locales/en.yaml', 'title: The command runs'],
  ['src/command.ts', 'const command = 1;'],
  ['docs/plugins.md', 'plugins: a list'],
])('%s is not', (path, text) => expect(namesPrograms(path, text, text)).toBe(false));
