/** The important lines from the logs of failed jobs. They are untrusted text. */
import type { TaskTexts } from '../../../agent/context/task-texts.ts';
import type { GitHub } from '../api/github.ts';
import { formatMessage } from '../api/github-errors.ts';

/** A run of a workflow that failed, and the texts for what its logs hold. */
interface FailedRun {
  readonly runId: number;
  readonly taskTexts: TaskTexts;
}

interface FailedLog {
  readonly job: string;
  readonly text: string;
}

const maxJobs = 3;
/** Maximum number of characters that are kept of the error lines, and of the end of a log. */
const maxErrors = 3_000;
const maxTail = 5_000;
/** Maximum number of bytes that are read of a log. */
const maxBytes = 64 * 1024 * 1024;

/**
 * The failed jobs of a run with the important lines of their logs. A log that cannot be read is left
 * out, and Photon's own log says so.
 * @throws PhotonError `GITHUB_*` when the jobs cannot be listed.
 */
export async function readFailedLogs(
  github: GitHub,
  { runId, taskTexts }: FailedRun,
): Promise<readonly FailedLog[]> {
  const { data } = await github.rest.actions.listJobsForWorkflowRun({
    ...github.where,
    run_id: runId,
    filter: 'latest',
    per_page: 100,
  });
  const failed = data.jobs.filter(job => job.conclusion === 'failure').slice(0, maxJobs);
  const logs: FailedLog[] = [];
  for (const { id, name } of failed) {
    try {
      const text = await readJobLog(github, id, taskTexts);
      logs.push({ job: name.slice(0, 100), text });
    } catch (error) {
      github.log(`GitHub: Photon cannot read the log of job ${id}: ${formatMessage(error)}`);
    }
  }
  return logs;
}

/** The important lines of the log of a job of GitHub Actions. @throws PhotonError `GITHUB_*`. */
export async function readJobLog(
  { rest, where }: GitHub,
  job_id: number,
  taskTexts: TaskTexts,
): Promise<string> {
  // a log can have any size, so it is read as a stream
  const request = { parseSuccessResponseBody: false };
  const { data } = await rest.actions.downloadJobLogsForWorkflowRun({ ...where, job_id, request });
  return excerpt(data as AsyncIterable<Uint8Array>, taskTexts);
}

/** The lines that the runner marked as errors, and the end of the log. */
export async function excerpt(
  body: AsyncIterable<Uint8Array>,
  taskTexts: TaskTexts,
): Promise<string> {
  const errors = makeBoundedText(maxErrors);
  let tail = '';
  let rest = '';
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    bytes += chunk.length;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, 10_000);
    for (const line of lines.map(plainLine)) {
      if (line.startsWith('##[error]')) errors.add(line.slice('##[error]'.length));
      tail = `${tail}${line}\n`.slice(-maxTail);
    }
    if (bytes > maxBytes) break;
  }
  tail = `${tail}${plainLine(rest)}`.slice(-maxTail);
  const whole = tail.length < maxTail ? tail : tail.slice(tail.indexOf('\n') + 1);
  const marked = errors.text();
  return [
    marked === '' ? undefined : taskTexts('log_errors', { text: marked }),
    taskTexts('log_end', { text: whole }),
  ]
    .filter(item => item !== undefined)
    .join('\n\n');
}

function makeBoundedText(max: number) {
  let text = '';
  return {
    add: (line: string) => {
      if (text.length + line.length < max) text += `${line}\n`;
    },
    text: () => text.trimEnd(),
  };
}

/** A line without the runner's time stamp and without colours. */
function plainLine(line: string): string {
  return line
    .replace(/\r$/, '')
    .replace(/^\uFEFF?\d{4}-\d\d-\d\dT[\d:.]+Z /, '')
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '');
}
