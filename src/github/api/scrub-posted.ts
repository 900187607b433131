/** The last look at what is posted: no text leaves for GitHub with a secret in it, whoever made it. */
import { redactTexts } from '../../guard/secrets.ts';
import type { Octokit } from './github.ts';

/** Parameters that people read; contents of files are judged as a patch. */
const posted = ['title', 'body', 'message', 'comments', 'commit_title', 'commit_message'];

/** A plugin that blanks secrets in the texts of every request. */
export function scrubPosted(scrub: (text: string) => string) {
  return ({ hook }: Pick<Octokit, 'hook'>): Record<string, never> => {
    hook.before('request', options => {
      const parameters = options as Record<string, unknown>;
      for (const name of posted)
        if (parameters[name] !== undefined) parameters[name] = redactTexts(parameters[name], scrub);
    });
    return {};
  };
}
