/** Finds markers in added code that silence a check or skip a test. */
import type { WriteClaim } from './claim.ts';

/** Name and pattern of each marker; each name matches its own pattern. */
const markers: readonly (readonly [string, RegExp])[] = [
  ['eslint-disable', /\b(eslint|oxlint|jshint|tslint:|stylelint)-?(disable|ignore)/],
  ['biome-ignore', /\bbiome-ignore|\bprettier-ignore|\bdeno-lint-ignore/],
  ['@ts-ignore', /@ts-(ignore|nocheck|expect-error)\b/],
  ['as any', /\bas\s+any\b|<any>|:\s*any\b/],
  ['# noqa', /#\s*(noqa|type:\s*ignore|pyright:\s*ignore|mypy:\s*ignore|pragma:\s*no cover)/],
  ['pylint: disable', /\b(pylint|ruff|flake8|rubocop|yamllint|shellcheck)\s*(?::\s*)?disable/],
  ['// nolint', /\/\/\s*nolint\b|#nosec\b|\bnosemgrep\b|\bNOSONAR\b/],
  ['noinspection', /\bnoinspection\b|@SuppressWarnings\b|@Suppress\b/],
  ['#[allow(', /#!?\[(allow|expect)\(/],
  ['istanbul ignore', /\b(istanbul|c8|v8|coverage|codecov)[\s:]+ignore/],
  ['test.skip(', /\b(it|test|describe|suite|context)\.(skip|todo|only|failing|fixme)\b/],
  ['xit(', /\b(xit|xtest|xdescribe|fit|fdescribe)\s*\(/],
  ['pytest.mark.skip', /\bpytest\.(mark\.)?(skip|xfail)|\bunittest\.(skip|expectedFailure)/],
  ['@Disabled', /@(Disabled|Ignore)\b/],
  ['t.Skip(', /\bt\.Skip(f|Now)?\(|#\[ignore\]/],
];

/** Names of the markers that a change adds: those that occur more often than in the replaced lines; undefined for none. */
export function newSuppressions(
  claim: WriteClaim,
  lines: readonly string[],
): readonly string[] | undefined {
  if (claim.added === '') return undefined;
  const before =
    claim.change === 'edit'
      ? claim.ranges.flatMap(r => lines.slice(Math.max(0, r.startLine - 1), r.endLine))
      : lines;
  const had = before.join('\n');
  const found = markers.filter(
    ([, pattern]) => occurrences(claim.added, pattern) > occurrences(had, pattern),
  );
  return found.length === 0 ? undefined : found.map(([name]) => name);
}

function occurrences(text: string, pattern: RegExp): number {
  return text.match(new RegExp(pattern, 'g'))?.length ?? 0;
}
