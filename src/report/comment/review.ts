/** Renders the findings of a review. Pure. */
import type { FindingProof, ReviewFinding, ReviewResult } from '../../base/findings.ts';
import { agentMarkdown } from '../agent-markdown.ts';
import { fencedText, inlineText, plainParagraph } from '../escape.ts';
import { foldContent } from '../pull-request/sections.ts';

const labels = { high: 'High', medium: 'Medium', low: 'Low' } as const;

/** The texts of a review: its body, and the comment of each finding. */
export const reviewText = { body: reviewBody, finding: findingText };

/** One line: how many findings there are at which commit, and what was left out. */
export function reviewBody({ head, findings, leftOut }: ReviewResult): string {
  const left = [
    leftOut.opinions > 0 ? `${leftOut.opinions} not proven` : '',
    leftOut.offDiff > 0 ? `${leftOut.offDiff} not on lines of the diff` : '',
    leftOut.beyondLimit > 0 ? `${leftOut.beyondLimit} beyond the limit` : '',
  ].filter(Boolean);
  const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
  const rest = left.length === 0 ? '' : ` Left out: ${left.join(', ')}.`;
  return `Photon: ${count} at ${inlineText(head.slice(0, 12))}.${rest}`;
}

/** What is wrong, and what shows it. A tool that reports a problem writes no Markdown. */
function findingText({ severity, problem, proof }: ReviewFinding): string {
  const text = proof?.kind === 'check' ? plainParagraph(problem, 1000) : agentMarkdown(problem);
  const gap = /^(?:-|\d+\.|\||`{3,}text\n)/.test(text) ? '\n\n' : ' ';
  return `**${labels[severity]}:**${gap}${text}\n\n${proofText(proof)}`;
}

function proofText(proof: FindingProof | null | undefined): string {
  switch (proof?.kind) {
    case undefined:
      return 'This is an opinion: nothing was run that shows it.';
    case 'test': {
      const base =
        proof.base === 'passes' ? 'it passes on the base' : 'the base does not have this file';
      const test = foldContent(
        `Test ${inlineText(proof.path, 200)}`,
        fencedText(proof.text, { maxChars: 6000 }),
      );
      return `Proven: this test fails here, and ${base}.\n\n${test}`;
    }
    case 'check':
      return `Proven: ${inlineText(proof.command)} reports this here, and not on the base.`;
    case 'mutant': {
      const { before, after } = proof.mutant;
      return `Proven: with ${inlineText(after, 200)} instead of ${inlineText(before, 200)}, every test still passes.`;
    }
  }
}
