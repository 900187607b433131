/** A setting is one entry of the table, and every consumer derives what it needs from there. */
import { describe, expect, it } from 'vitest';
import { inputOptions } from '../../src/cli/command.ts';
import { renderHelp } from '../../src/cli/help.ts';
import { listInputs } from '../../src/settings/table.ts';
import { everyCommand } from '../cli/every-command.ts';
import { renderActionYml, renderConfigSchema, renderSettingsPage } from '../generated/pages.ts';
import { more } from './kitchen.ts';

/** A JSON schema, as far as this test reads it. */
interface Schema {
  readonly properties: { readonly kitchen: { readonly properties: { readonly flavour: unknown } } };
}

describe('one entry more in the table', () => {
  it('is in action.yml', () => {
    expect(renderActionYml()).not.toContain('test-flavour');
    expect(renderActionYml(more)).toContain(
      "  test-flavour:\n    description: 'How the result tastes. Default: plain.'\n    required: false\n",
    );
  });

  it('is in docs/settings.md, as an input and as a key', () => {
    const page = renderSettingsPage(more);
    expect(page).toContain(
      '| `test-flavour` | `kitchen.flavour` | How the result tastes. | plain |',
    );
    expect(page.match(/kitchen\.flavour/g)).toHaveLength(1);
  });

  it('is in the JSON schema', () => {
    const { properties } = JSON.parse(renderConfigSchema(more)) as Schema;
    expect(properties.kitchen.properties.flavour).toEqual({
      type: 'string',
      enum: ['plain', 'vanilla'],
      description: 'How the result tastes.',
    });
  });

  it('is an option of the terminal, and in its help', async () => {
    const options = inputOptions(() => true, listInputs(more));
    expect(Object.keys(options)).toContain('test-flavour');
    const commands = new Map(everyCommand);
    const help = (name: string) => {
      const command = commands.get(name);
      return command === undefined ? '' : renderHelp(name, command, { topics: more });
    };
    for (const command of ['run', 'workflow'])
      expect(help(command)).toMatch(
        /--test-flavour <plain\|vanilla> {2}How the result tastes\. \(default: plain\)/,
      );
    expect(help('memory')).not.toContain('test-flavour');
  });
});
