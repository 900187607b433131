/** Part of the programs that record lines: the characters that ran, from V8 block coverage, and the lines with one of them. */

/** One for each character in a range that ran; the innermost range decides. */
function markRan(functions, length) {
  const ran = new Uint8Array(length);
  const ranges = functions.flatMap(f => f.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count } of ranges)
    ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

/** The lines of a text with a word or an operator that ran. */
function linesIn(text, ran) {
  const lines = new Set();
  let line = 1;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\n') line += 1;
    else if (ran[i] === 1 && !/[\s{}();,\]]/.test(text[i])) lines.add(line);
  }
  return [...lines];
}
