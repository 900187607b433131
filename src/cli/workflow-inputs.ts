/** Finds what the workflows of a repository give the Action as inputs that it does not have. */
import { parse } from 'yaml';
import { asObject } from '../base/schema-issue.ts';
import { attempt } from '../base/system-errors.ts';
import { explainMissingInput } from '../settings/missing-input.ts';
import { actionInputs } from '../settings/settings.ts';
import type { TrustedFiles } from '../workspace/trusted/trusted-files.ts';
import { didYouMean } from './command.ts';

const folder = '.github/workflows';

/** One line for each such input, with its file and where the setting is set. */
export async function listMissingInputs(files: TrustedFiles): Promise<readonly string[]> {
  const paths = (await files.list(folder)).filter(path => /\.ya?ml$/.test(path));
  const found = await Promise.all(
    paths.map(async path => {
      const text = Buffer.from((await files.read(path)) ?? []).toString('utf8');
      const missing = listGivenInputs(text).filter(name => !Object.hasOwn(actionInputs, name));
      return [...new Set(missing)].map(name => `${path}: ${explainInput(name)}`);
    }),
  );
  return found.flat();
}

/** Names of the inputs that the steps of a workflow give the Action; none if its text is no YAML. */
function listGivenInputs(text: string): readonly string[] {
  const steps = Object.values(asObject(asObject(readYaml(text)).jobs)).flatMap(job => {
    const { steps } = asObject(job);
    return Array.isArray(steps) ? steps.map(asObject) : [];
  });
  return steps.flatMap(({ uses, with: given }) =>
    /(?:^|\/)agent-action@/.test(String(uses)) ? Object.keys(asObject(given)) : [],
  );
}

/** GitHub checks the syntax of workflows; here, a broken one is as one without the Action. */
const readYaml = (text: string): unknown =>
  attempt(() => parse(text, { maxAliasCount: 100, logLevel: 'silent' }));

const explainInput = (name: string) =>
  explainMissingInput(name) ??
  `${name} is no input of the Action.${didYouMean(name, Object.keys(actionInputs))}`;
