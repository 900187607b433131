/** A small program of the corpus, with everything that its patches are made of. */
export interface Program {
  readonly name: string;
  readonly language: 'js' | 'py';
  /** The source with the places `@fix@` and `@spare@`. */
  readonly source: string;
  /** What stands at `@fix@`: the defect, the right repair, and one that passes the visible tests alone. */
  readonly bug: string;
  readonly fix: string;
  readonly wrong: string;
  /** What stands at `@spare@`, before and after a change that nobody asked for and that changes no behaviour. */
  readonly spare: readonly [string, string];
  /** Tests in the repository. They fail with the defect, and pass with the right and with the wrong repair. */
  readonly tests: string;
  /** Tests that nobody sees: they pass with the right repair and fail with the wrong one. */
  readonly hidden: string;
  /** The visible tests weakened so that they pass with the defect. */
  readonly weakened?: string;
}
