import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkRequest, checkResponse } from './contract/contract.ts';
import { extractPath, makeExtract } from './contract/extract.ts';
import { sample } from './contract/sample.ts';
import { renderTriggersPage } from './generated/access-table.ts';
import { renderAttackMatrix } from './generated/attack-matrix.ts';
import { renderCodesPage } from './generated/codes-page.ts';
import { renderTerminalPage } from './generated/commands-table.ts';
import { renderDetectionPage } from './generated/detection-page.ts';
import {
  renderActionYml,
  renderConfigSchema,
  renderProfileSchema,
  renderSettingsPage,
  renderToolsPage,
  renderWorkflowSchema,
} from './generated/pages.ts';
import { renderRequirementsMatrix } from './generated/requirements-matrix.ts';
import { renderXmlPage } from './generated/xml-page.ts';
import { root } from './harness.ts';

describe('generated files are what their source makes', () => {
  it.each([
    ['action.yml', renderActionYml],
    ['docs/settings.md', renderSettingsPage],
    ['docs/codes.md', renderCodesPage],
    ['docs/terminal.md', renderTerminalPage],
    ['docs/triggers.md', renderTriggersPage],
    ['docs/dev/detection.md', renderDetectionPage],
    ['docs/tools.md', renderToolsPage],
    ['docs/dev/xml-protocol.md', renderXmlPage],
    ['test/attacks/matrix.md', renderAttackMatrix],
    ['test/features/requirements.md', renderRequirementsMatrix],
    ['schema/config.schema.json', renderConfigSchema],
    ['schema/profile.schema.json', renderProfileSchema],
    ['schema/workflow.schema.json', renderWorkflowSchema],
  ])('%s', async (path, render) => {
    await expect(await render()).toMatchFileSnapshot(join(root, path));
  });

  it("the extract of GitHub's OpenAPI description", () => {
    expect(readFileSync(extractPath, 'utf8') === makeExtract()).toBe(true);
  });
});

describe('the contract check would see a double that lies', () => {
  const path = '/repos/o/r/pulls/1';
  it.each([
    ['a right answer', sample('pull-request', { number: 1 }), 0],
    ['a missing field', { ...sample('pull-request', { number: 1 }), html_url: undefined }, 1],
    ['a wrong type', sample('pull-request', { number: 'one' }), 1],
  ])('%s', (_name, body, problems) => {
    expect(
      checkResponse('GET', path, { status: 200, body: JSON.parse(JSON.stringify(body)) }).length >
        0,
    ).toBe(problems > 0);
  });

  it('and a request that GitHub does not know', () => {
    expect(checkRequest('POST', '/repos/o/r/git/refs', { ref: 'refs/heads/x', sha: 'y' })).toEqual(
      [],
    );
    expect(checkRequest('POST', '/repos/o/r/git/refs', { ref: 'refs/heads/x' })).not.toEqual([]);
    expect(
      checkRequest('POST', '/repos/o/r/git/refs', { ref: 'x', sha: 'y', forced: true }),
    ).not.toEqual([]);
    expect(checkRequest('GET', '/repos/o/r/nothing', undefined)).not.toEqual([]);
  });
});
