/**
 * Stands for undici in the bundle: Node has its own `fetch`, and `src/process/network.ts` is what knows proxies.
 * @actions/github and @actions/http-client import these two names and use them only for their own proxies.
 */
export const { fetch } = globalThis;

/** Never sends anything: Photon gives Octokit its own `fetch`. */
export class ProxyAgent {
  close(): void {}
}
