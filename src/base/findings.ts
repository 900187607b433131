/** What was found out about code, as data: the findings of a review, what the tests show of a patch (docs/verification.md), advisories about packages, and places that a text names. Pure. */
import { listFirst, plural } from './plural.ts';

export const findingSeverities = ['high', 'medium', 'low'] as const;

/** What code found out about a finding. */
export type FindingProof =
  | {
      /** A test of the model that ran on copies: it fails at the head. */
      readonly kind: 'test';
      readonly path: string;
      readonly text: string;
      /**
       * `passes`: the test passes on the base. `new-file`: the base does not have the file. `fails-otherwise`: it fails
       * there in another way, so that the changed lines decide how.
       */
      readonly base: 'passes' | 'new-file' | 'fails-otherwise';
    }
  /** An error of the project's own type checker or linter at the head that the base does not have. */
  | { readonly kind: 'check'; readonly command: string }
  /** A small change of the line that no test notices. */
  | { readonly kind: 'mutant'; readonly mutant: SurvivingMutant };

/** A problem on lines of the diff, as they are at the head. */
export interface ReviewFinding extends LineSpan {
  /** The same problem on the same lines has the same fingerprint. */
  readonly fingerprint: string;
  readonly severity: (typeof findingSeverities)[number];
  /** What is wrong; by the model, or by a tool. */
  readonly problem: string;
  /** Null for an opinion. */
  readonly proof: FindingProof | null;
}

/** The result of a review. */
export interface ReviewResult {
  /** The commit that was reviewed. */
  readonly head: string;
  /** Most severe first, at most as many as the settings allow. */
  readonly findings: readonly ReviewFinding[];
  /** Findings that were left out. */
  readonly leftOut: {
    /** Not proven. */
    readonly opinions: number;
    /** Not on lines of the diff. */
    readonly offDiff: number;
    /** Beyond the limit. */
    readonly beyondLimit: number;
  };
  /** True if type checker and linter ran, so that an error that is gone was fixed. */
  readonly checksRan: boolean;
  /** The object that `review.schema` asks for; absent without one. */
  readonly report?: unknown;
}

/** The lines of a file that the diff of a pull request shows, at its head. */
export interface DiffLines {
  readonly path: string;
  readonly ranges: readonly (readonly [start: number, end: number])[];
}

/** A place that a text names. */
export interface CodeReference extends LineSpan {
  /** As it stands in the text. */
  readonly text: string;
}

/** A place, and whether the commit that the text is about has these lines. */
export interface CheckedReference extends CodeReference {
  readonly exists: boolean;
}

/** Source of the pattern of a place: a path with an extension, a line, and perhaps the last line. */
export const placePattern = String.raw`(?<![\w./@:-])(?:[\w@.-]+/)*[\w@.-]+\.\w{1,12}:\d{1,7}(?:-\d{1,7})?(?![\w:/-])`;

/** Maximum number of places of one text. */
const maxPlaces = 60;

/** The places that a text names, each once. */
export function findPlaces(text: string): readonly CodeReference[] {
  const found = new Map<string, CodeReference>();
  for (const [name] of text.matchAll(new RegExp(placePattern, 'g'))) {
    const [, path = '', first = '', last = first] =
      /^(?:\.\/)?(.+):(\d+)(?:-(\d+))?$/.exec(name) ?? [];
    found.set(name, { text: name, path, start: Number(first), end: Number(last) });
    if (found.size === maxPlaces) break;
  }
  return [...found.values()];
}

/** Address of the lines at a commit on the server of the workflow run; may be empty. */
export function linesAddress(
  { page, base }: { readonly page?: string; readonly base: { readonly commit: string } },
  { path, start, end }: CodeReference,
): string {
  const [, repository] = /^(https?:\/\/.+)\/actions\/runs\/\d+$/.exec(page ?? '') ?? [];
  if (repository === undefined || !/^[0-9a-f]{40,64}$/.test(base.commit)) return '';
  const file = path.split('/').map(encodeURIComponent).join('/');
  const lines = start === end ? `L${start}` : `L${start}-L${end}`;
  return `${repository}/blob/${base.commit}/${file}#${lines}`;
}

/**
 * What the tests show of one changed line. `decided`: a test fails if the line is changed or left out. `executed`: a
 * test runs it, and no change of it was noticed. `unexecuted`: no test runs it. `unknown`: it cannot be told.
 */
const lineProofs = ['decided', 'executed', 'unexecuted', 'unknown'] as const;
export type LineProof = (typeof lineProofs)[number];

/** Lines of a file, counted from 1, both included. */
export interface LineSpan {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

/** `a.js:3`, or `a.js:3-5`; the line behind it for a hunk that only removes lines. */
export function formatLines({ path, start, end }: LineSpan): string {
  return `${path}:${end <= start ? start : `${start}-${end}`}`;
}

/** Which hunks no test needs; undefined if there are none. A run without all of them says nothing of each. */
export function describeIdleHunks(
  { total, notNeeded }: PatchProof['hunks'],
  format = formatLines,
): string | undefined {
  const isWhole = total > 1 && notNeeded.length === total;
  const which = isWhole
    ? 'the whole change, as with a refactoring'
    : `${notNeeded.length} of ${plural(total, 'hunk')} (${listFirst(notNeeded, format)})`;
  return notNeeded.length === 0 ? undefined : `The tests end the same without ${which}`;
}

/** A small change of the patch with which every test still passes. */
export interface SurvivingMutant {
  readonly path: string;
  /** 1-based, in the file with the patch. */
  readonly line: number;
  /** Its kind, such as `another comparison operator`. */
  readonly kind: string;
  /** The changed part of the line, without and with the change; at most 200 characters each. */
  readonly before: string;
  readonly after: string;
}

/** What the tests show of a patch that passes them. */
export interface PatchProof {
  /** How many changed lines with code there are of each kind, outside of tests. */
  readonly counts: Readonly<Record<LineProof, number>>;
  /** The same lines in order; at most 500 ranges. */
  readonly lines: readonly (LineSpan & { readonly shows: LineProof })[];
  /** Test cases that passed and failed on the same files; they decide nothing. At most 100. */
  readonly flaky: readonly string[];
  readonly hunks: {
    readonly total: number;
    /** How many of them were left out to see whether a test notices. */
    readonly tried: number;
    /** Those without which the tests end the same. A hunk that only removes lines has an empty range. */
    readonly notNeeded: readonly LineSpan[];
  };
  readonly mutants: { readonly tried: number; readonly survived: readonly SurvivingMutant[] };
  /** Test cases that the patch adds, and whether they fail without the rest of it. At most 100. */
  readonly newTests: readonly { readonly id: string; readonly failsOnBase: boolean }[];
  readonly durationMs: number;
  /** The commit that it was measured on, if the base moved afterwards: only the tests ran again on the newer base. */
  readonly earlierBase?: string;
  /** Why something was not looked at; empty if everything was. */
  readonly cut: string;
}

/** A version of a package. */
export interface PackageVersion {
  /** The registry, as GitHub's advisory database names it: `npm`, `pip`, `go`, … */
  readonly source: string;
  readonly name: string;
  readonly version: string;
}

/** An advisory about one version of a package. */
export interface Advisory {
  readonly affected: PackageVersion;
  /** `GHSA-…`. */
  readonly id: string;
  /** `low` to `critical`, or `unknown`. */
  readonly severity: string;
  readonly isMalware: boolean;
  /** The first versions without it, one for each affected range; empty if there is none. */
  readonly fixedIn: readonly string[];
}

/** What is known of the versions that a patch adds or changes to. */
export interface PackageCheck {
  readonly added: number;
  readonly advisories: readonly Advisory[];
  /** Why they were not looked up; absent if they were. */
  readonly unread?: string;
}

/** An advisory in a few words: what it affects, and the first version without it. */
export function describeAdvisory({
  affected: { name, version },
  id,
  severity,
  isMalware,
  fixedIn,
}: Advisory): string {
  const what = isMalware ? `malware by ${id}` : `affected by ${id} (${severity})`;
  const fixed =
    fixedIn.length === 0 ? 'no version without it is known' : `fixed in ${fixedIn.join(' and ')}`;
  return `${name} ${version} is ${what}; ${fixed}`;
}

/** What a second look at the run's own patch came to. */
export interface SecondLookResult {
  /** Digest of the patch that was looked at last; empty where the patch then moved to another base. */
  readonly patchDigest: string;
  /** How many patches of the run were looked at. */
  readonly looks: number;
  /** The findings whose test fails with that patch. */
  readonly shown: readonly ReviewFinding[];
  /** Number of findings without such a test. */
  readonly unshown: number;
  /** Code that ended the last look early; absent if none did. */
  readonly cut?: string | undefined;
}
