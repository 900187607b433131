/** The part of write-good that `.ci/style.ts` uses; it ships no types. */
declare module 'write-good' {
  interface Suggestion {
    readonly index: number;
    readonly offset: number;
    readonly reason: string;
  }
  export default function writeGood(
    text: string,
    checks?: Readonly<Record<string, boolean>>,
  ): readonly Suggestion[];
}
