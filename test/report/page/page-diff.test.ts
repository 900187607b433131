/** The changed lines on the page of a run. */
import { describe, expect, it } from 'vitest';
import { renderRunPage } from '../../../src/report/page/run-page.ts';
import { diffOf, verifiedRun } from '../pages.ts';

describe('the report of a run', () => {
  it('pairs the sides of a change and shows what the tests say of each line', async () => {
    const page = await renderRunPage(verifiedRun());
    expect(page).toContain(
      '<td class="n">5</td><td class="old changed">  return Math.round(total * (1 - discountPercent / 10<b></b>));</td>',
    );
    expect(page).toContain(
      '<td class="p decided" title="a test fails without this line, or with a variant of it">',
    );
    expect(page).toContain('<td class="p unexecuted" title="no test runs this line">');
    expect(page).toContain('Would pass, too:</span> <code>x / 101</code>');
    expect(page).toMatch(
      /<td>before the patch<\/td>\s*<td>exit 1, 13 passed, 1 failed, 1\.2 s<\/td>/,
    );
    expect(page).toMatch(
      /<td>with the patch<\/td>\s*<td>exit 0, 14 passed, 0 failed, 1\.2 s<\/td>/,
    );
    expect(page).toContain('Tests decide 1 of 2 changed lines of code.');
    expect(page).toContain('photon apply abcdef01');
  });

  it('shows lines that look like the head of a diff as lines', async () => {
    const diff = `${diffOf('a.sql', 0).replaceAll('1,0', '1,1')}--- old comment\n+++ new comment\n\\ No newline at end of file\n`;
    const page = await renderRunPage({ ...verifiedRun(), diff });
    expect(page).toContain('<b>-- old</b> comment');
    expect(page).toContain('<b>++ new</b> comment');
  });

  it('shows a diff that lost a line as it is', async () => {
    const diff = diffOf('a.js', 2).replace(/\n\+[^\n]*\n$/, '\n');
    const page = await renderRunPage({ ...verifiedRun(), diff });
    expect(page).toContain('<pre>diff --git a/a.js b/a.js\n');
  });

  it('names a path that git quoted as it is', async () => {
    const path = '"b/src/\\303\\244 \\"x\\".js"';
    const diff = `diff --git ${path.replace('b/', 'a/')} ${path}\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ ${path}\n@@ -0,0 +1 @@\n+1\n`;
    const page = await renderRunPage({ ...verifiedRun(), diff });
    expect(page).toContain('<h3>src/ä &quot;x&quot;.js</h3>');
    expect(page).toContain('new file mode 100644');
  });

  it.each([
    ['a/my file.sh b/my file.sh', 'my file.sh'],
    ['a/b b/c.sh b/b b/c.sh', 'b b/c.sh'],
    ['"a/\\303\\244 b" "b/\\303\\244 b"', 'ä b'],
  ])('names the file of a change of its mode alone: %s', async (both, path) => {
    const diff = `diff --git ${both}\nold mode 100644\nnew mode 100755\n`;
    const page = await renderRunPage({ ...verifiedRun(), diff });
    expect(page).toContain(`<h3>${path}</h3>`);
  });
});
