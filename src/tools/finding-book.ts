/** Where a review keeps its findings, as the tool that records them sees it. */
import type { ReviewFinding } from '../base/findings.ts';

/** A finding as the model states it, and the test that is to show it. */
export interface FindingDraft
  extends Pick<ReviewFinding, 'path' | 'start' | 'end' | 'severity' | 'problem'> {
  readonly test?: { readonly path: string; readonly content: string };
}

export interface FindingBook {
  /** Checks a finding, runs its test, and keeps it. @returns for the model: what became of it. */
  record(draft: FindingDraft): Promise<string>;
  /** What is wrong with the object that the settings ask for, by its schema; empty if nothing is. */
  reportProblems(report: unknown): readonly string[];
  /** Keeps the object, in place of an earlier one. */
  keepReport(report: unknown): void;
}
