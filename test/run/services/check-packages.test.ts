/** What a run finds out about the packages that its patch brings, and what people read of it. */
import { expect, it } from 'vitest';
import { begin, done, look, prove, repair, sampleFiles } from '../../doubles/sample.ts';
import { activate, call, planOf, readLines, say } from '../../doubles/steps.ts';
import { play, type Scenario, toldOf } from '../scenario.ts';

const manifest = 'package.json';
const withPlan = say(activate('test-repair'), planOf(['src/price.js', manifest]));

/** Adds a package, or changes its version. */
const depend = (version: string) => {
  const now = { ...JSON.parse(sampleFiles[manifest] ?? ''), dependencies: { lodash: version } };
  const content = `${JSON.stringify(now, null, 2)}\n`;
  return say(
    readLines(manifest, 1, 20),
    call('apply_patch', { files: [{ path: manifest, content }] }),
  );
};

const arrange: Scenario['arrange'] = github => {
  github.state.surface.advisories.push({
    id: 'GHSA-aaaa-bbbb-cccc',
    affects: [{ ecosystem: 'npm', name: 'lodash', range: '<4.17.21', fixed: '4.17.21' }],
  });
};

it('names an advisory to the model once, and to people first, in a draft', async () => {
  const script = [withPlan, look, repair, depend('4.17.20'), done, done];
  await play({ script, arrange }, ({ github, outcome, model }) => {
    const said = toldOf(model).match(
      /lodash 4\.17\.20 is affected by GHSA-aaaa-bbbb-cccc \(high\); fixed in 4\.17\.21/g,
    );
    expect(said?.length).toBeGreaterThan(0);
    expect(outcome).toMatchObject({
      status: 'committed',
      patch: { packages: { added: 1, advisories: [{ id: 'GHSA-aaaa-bbbb-cccc' }] } },
    });
    // the first finish was held back
    expect(model.requests).toHaveLength(script.length);
    const [pull] = github.state.pulls.values();
    expect(pull?.draft).toBe(true);
    expect(pull?.body.split('\n')[0]).toBe(
      '**Known advisories**: lodash 4.17.20 is affected by GHSA-aaaa-bbbb-cccc (high); fixed in 4.17.21.',
    );
  });
});

it('lets the model choose another version', async () => {
  const script = [withPlan, look, repair, depend('4.17.20'), prove, depend('4.17.21'), done];
  await play({ script, arrange }, ({ github, outcome }) => {
    expect(outcome.patch.packages).toEqual({ added: 1, advisories: [] });
    const [pull] = github.state.pulls.values();
    expect(pull?.body).not.toContain('GHSA');
    expect(pull?.body).toContain('has no advisory about what the patch brings: 1 package version.');
  });
});

it('says that it did not look, and delivers all the same, where the database does not answer', async () => {
  const script = [withPlan, look, repair, depend('4.17.20'), done];
  await play(
    {
      script,
      arrange: github => github.fail((_m, path) => path === '/advisories', { status: 404 }),
    },
    ({ github, outcome }) => {
      expect(outcome).toMatchObject({ status: 'committed', patch: { packages: { added: 1 } } });
      expect([...github.state.pulls.values()][0]?.body).toContain(
        "Photon did not look up 1 new package version in GitHub's advisory database: GitHub: HTTP 404",
      );
    },
  );
});

it('asks nothing for a patch that brings no package', async () => {
  await play({ script: [begin, look, repair, done] }, ({ github, outcome }) => {
    expect(outcome.patch.packages).toBeUndefined();
    expect(github.seen.some(s => s.path === '/advisories')).toBe(false);
  });
});
