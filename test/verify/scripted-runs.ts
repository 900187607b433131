/** Test runs that are scripted: each line of the tests ends with cases that a test chooses, as TAP. */
import { openVerifier, type Verifier, type VerifierOptions } from '../../src/verify/verify.ts';
import { noFiles, runOptions } from './changes.ts';

/** Whether each case passes, by name. */
export type Cases = Readonly<Record<string, boolean>>;

function tapOf(cases: Cases): string {
  const lines = Object.entries(cases).map(
    ([name, passed], i) => `${passed ? 'ok' : 'not ok'} ${i + 1} - ${name}`,
  );
  return `TAP version 13\n${lines.join('\n')}\n1..${lines.length}\n`;
}

/** The cases of a line of the tests, on the base or with the patch. */
type CasesOf = (isBase: boolean, line: string) => Cases | Promise<Cases>;

/** A verifier whose runs end with these cases, each after so many milliseconds. */
export function openScripted(
  casesOf: CasesOf,
  { durationMs = 1, ...more }: Partial<VerifierOptions> & { readonly durationMs?: number } = {},
): Verifier {
  const open = async (changes: readonly unknown[]) => ({
    view: { readReport: () => undefined, close: async () => {} },
    sandbox: {
      run: async ({ argv }: { readonly argv: readonly string[] }) => {
        const cases = await casesOf(changes.length === 0, argv.at(-1) ?? '');
        const exitCode = Object.values(cases).includes(false) ? 1 : 0;
        const end = { limit: undefined, began: true, cancelled: false, truncated: false };
        const output = tapOf(cases);
        return { ...end, exitCode, output, durationMs, refusedConnections: undefined };
      },
    },
  });
  return openVerifier({
    ...runOptions,
    open,
    command: 'tap',
    require: 'pass',
    reruns: 1,
    measure: undefined,
    testChanges: 'rollback',
    task: 'x',
    approved: [],
    setUpFiles: undefined,
    commandFiles: async () => noFiles,
    readBase: async () => undefined,
    paths: async () => [],
    ...more,
  } as unknown as VerifierOptions);
}
