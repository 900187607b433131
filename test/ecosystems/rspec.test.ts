/** RSpec, from its command to its results. The outputs have the form that its documentation shows. */
import { describe, expect, it } from 'vitest';
import { explainMissing } from '../../src/ecosystems/commands/missing-packages.ts';
import { isTestPath } from '../../src/ecosystems/tests/path-classes.ts';
import { definesTests, testNames } from '../../src/ecosystems/tests/test-role.ts';
import { parseReport, readOutput } from '../../src/verify/reports/parse-report.ts';
import { readSummaries, whatRan } from '../../src/verify/reports/run-summary.ts';

const failing = `.F*F

Pending: (Failures listed here are expected and do not affect your suite's status)

  1) Cart empties itself
     # Not yet implemented
     # ./spec/cart_spec.rb:9

Failures:

  1) Cart adds what is dear
     Failure/Error: expect(cart.total).to eq(3)

       expected: 3
            got: 2

     # ./spec/cart_spec.rb:6:in \`block (2 levels) in <top (required)>'

Finished in 0.01 seconds (files took 0.09 seconds to load)
4 examples, 2 failures, 1 pending

Failed examples:

rspec ./spec/cart_spec.rb:5 # Cart adds what is dear
rspec './spec/shop_spec.rb[1:2]' # Shop behaves like a list is ordered # twice

`;

const broken = `
An error occurred while loading ./spec/cart_spec.rb.
Failure/Error: require 'cart'

LoadError:
  cannot load such file -- cart
# ./spec/cart_spec.rb:1:in \`<top (required)>'

Finished in 0.00005 seconds (files took 0.25 seconds to load)
0 examples, 0 failures, 1 error occurred outside of examples

`;

describe('the output of rspec', () => {
  it('names the failed examples', () => {
    expect(readSummaries(failing)).toEqual([{ runner: 'rspec', ran: 3, failed: 2 }]);
    expect(readOutput(failing)).toEqual({
      cases: undefined,
      failures: [
        'spec/cart_spec.rb > Cart adds what is dear',
        'spec/shop_spec.rb > Shop behaves like a list is ordered # twice',
      ],
    });
  });

  it('names no failure if one is missing', () => {
    expect(readOutput(failing.replace(/^rspec \.\/spec.*\n/m, '')).failures).toBeUndefined();
  });

  it('names the files that do not load, and is no empty run', () => {
    expect(readOutput(broken).failures).toEqual(['spec/cart_spec.rb']);
    expect(whatRan(undefined, broken).kind).toBe('unknown');
    expect(whatRan(undefined, 'No examples found.\n\n0 examples, 0 failures\n')).toEqual({
      kind: 'none',
      words: '0 examples, 0 failures',
    });
  });
});

describe('the JSON report of rspec', () => {
  const report = (more: object) =>
    JSON.stringify({
      version: '3.13.0',
      examples: [
        {
          id: './spec/cart_spec.rb[1:1]',
          description: 'adds',
          full_description: 'Cart adds',
          status: 'passed',
          file_path: './spec/cart_spec.rb',
          line_number: 2,
        },
        {
          id: './spec/cart_spec.rb[1:2]',
          description: 'removes',
          full_description: 'Cart removes',
          status: 'failed',
          file_path: './spec/cart_spec.rb',
          line_number: 5,
          exception: { class: 'RuntimeError', message: 'no such item', backtrace: null },
        },
        {
          id: './spec/cart_spec.rb[1:3]',
          description: 'empties',
          full_description: 'Cart empties',
          status: 'pending',
          file_path: './spec/cart_spec.rb',
          line_number: 8,
        },
      ],
      summary_line: '3 examples, 1 failure, 1 pending',
      ...more,
    });

  it('lists each example with its file', async () => {
    const file = 'spec/cart_spec.rb';
    expect(await parseReport(report({}))).toEqual([
      { id: `${file} > Cart adds`, status: 'passed', file, message: undefined },
      { id: `${file} > Cart removes`, status: 'failed', file, message: 'no such item' },
      { id: `${file} > Cart empties`, status: 'skipped', file, message: undefined },
    ]);
  });

  it('lists the files that do not load', async () => {
    const messages = [broken, 'Run options: include {:focus=>true}'];
    expect(await parseReport(report({ examples: [], messages }))).toEqual([
      { id: 'spec/cart_spec.rb', status: 'failed' },
    ]);
  });

  it.each(['{"examples": [1], "summary_line": ""}', '{"examples": []}', '{', '[]'])(
    'is not found in %s',
    async text => {
      expect(await parseReport(text)).toBeUndefined();
    },
  );
});

describe('what rspec lacks', () => {
  const explain = (output: string) => explainMissing(output, ['lib/cart.rb', 'spec/cart_spec.rb']);

  it.each([
    ['bundler: command not found: rspec\nInstall missing gem executables\n', 'rspec'],
    ["Could not find gem 'rails (~> 7.1)' in locally installed gems.", 'rails'],
    ['Could not find rake-13.0.6, rspec-3.13.0 in locally installed gems', 'rake-13.0.6'],
    ['LoadError:\n  cannot load such file -- nokogiri\n', 'nokogiri'],
  ])('is said of %j', (output, name) => {
    expect(explain(output)).toBe(`The package "${name}" is not installed.`);
  });

  it('is no file of the project, which may be the fault itself', () => {
    expect(explain(broken)).toBeUndefined();
    expect(explain('LoadError:\n  cannot load such file -- /x/lib/price\n')).toBeUndefined();
  });
});

describe('the specs of a project', () => {
  it('are known by path and by text', () => {
    expect(['spec/a_spec.rb', 'lib/a_spec.rb', '.rspec', '.rspec-local'].every(isTestPath)).toBe(
      true,
    );
    const text = `require 'spec_helper'\n\nRSpec.describe Cart do\n  it 'adds' do\n  end\n  it "counts", :slow do\n  end\nend\n`;
    expect(testNames(text)).toEqual(['adds', 'counts']);
    expect(definesTests(text)).toBe(true);
  });

  it('are not counted twice in JavaScript', () => {
    expect(testNames("it('adds', () => {\n});\n")).toEqual(['adds']);
  });
});
