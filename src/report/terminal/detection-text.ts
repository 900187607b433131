/** Renders which commands Photon detects in a project, for `photon init` and `photon doctor`. Pure. */

/** A command, and the file that shows it. */
interface ShownCommand {
  readonly tool: string;
  readonly command: string;
  readonly setup: string;
  readonly because: string;
}

const maxPassedOver = 8;

/** What was chosen and why, and what was passed over. */
export function renderDetection({
  chosen,
  passedOver,
}: {
  readonly chosen: ShownCommand | undefined;
  readonly passedOver: readonly ShownCommand[];
}): string {
  const lines = [
    `tests:   ${chosen === undefined ? undecided(passedOver) : `${chosen.command} (${chosen.tool}, from ${chosen.because})`}`,
    chosen === undefined ? undefined : `set-up:  ${chosen.setup || 'none'}`,
    ...passedOver
      .slice(0, maxPassedOver)
      .map(found => `  passed over: ${found.command} (${found.tool}, from ${found.because})`),
    passedOver.length > maxPassedOver
      ? `  and ${passedOver.length - maxPassedOver} more`
      : undefined,
  ].filter(item => item !== undefined);
  return `${lines.join('\n')}\n`;
}

const undecided = (passedOver: readonly ShownCommand[]) =>
  passedOver.length === 0
    ? 'no test command found'
    : 'not decided, because many folders have tests. Set verify.command in .photon/config.json to one of these, and commit it';
