/** Renders which commands Photon detects in a project, for `photon init` and `photon doctor`. Pure. */
import type { DetectedCommands, Detection } from '../../ecosystems/commands/detect.ts';
import { describeWitness, type Witness } from '../../ecosystems/shared/tool-row.ts';

const maxPassedOver = 8;

const shownHow = ({ tool, because, witness, command }: DetectedCommands) =>
  `(${tool}, from ${because}${witness === undefined ? '' : `, ${describeWitness(witness, command)}`})`;

/** What the CI needs for the tests, which Photon does not set up. */
function describeNeeds({ file, versions, services, environment }: Witness): string | undefined {
  const parts = [
    ['versions', versions],
    ['services', services],
    ['environment', environment],
  ] as const;
  const named = parts.filter(([, names]) => names.length > 0);
  const words = named.map(([what, names]) => `${what} ${names.slice(0, 10).join(', ')}`);
  return words.length === 0 ? undefined : `  ${file} has: ${words.join('; ')}`;
}

/** What was chosen and why, and what was passed over. */
export function renderDetection({
  chosen,
  passedOver,
  notes = [],
}: Detection & { readonly notes?: readonly string[] }): string {
  const lines = [
    `tests:   ${chosen === undefined ? undecided(passedOver) : `${chosen.command} ${shownHow(chosen)}`}`,
    chosen === undefined ? undefined : `set-up:  ${chosen.setup || 'none'}`,
    chosen?.witness === undefined ? undefined : describeNeeds(chosen.witness),
    ...passedOver
      .slice(0, maxPassedOver)
      .map(found => `  passed over: ${found.command} ${shownHow(found)}`),
    passedOver.length > maxPassedOver
      ? `  and ${passedOver.length - maxPassedOver} more`
      : undefined,
    ...notes.map(note => `  note: ${note}`),
  ].filter(item => item !== undefined);
  return `${lines.join('\n')}\n`;
}

const undecided = (passedOver: readonly DetectedCommands[]) =>
  passedOver.length === 0
    ? 'no test command found'
    : 'not decided, because many folders have tests. Set verify.command in .photon/config.json to one of these, and commit it';
