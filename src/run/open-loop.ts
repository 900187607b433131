/** Opens the loop of a run: what the model is shown, and what its tools work with. */
import { randomBytes } from 'node:crypto';
import { openConversation } from '../agent/context/conversation.ts';
import {
  type Instructions,
  instructionBounds,
  openInstructions,
} from '../agent/context/instructions.ts';
import { fill, type Templates } from '../agent/context/profile.ts';
import { composeSegments, renderTask, statesOn } from '../agent/context/prompt.ts';
import { getCachePrices } from '../agent/limits/budget.ts';
import type { RejectedReply } from '../agent/loop/loop-state.ts';
import { watchServers, watchSkills } from '../agent/loop/watch-skills.ts';
import { digest } from '../base/digest.ts';
import { describeAdvisory } from '../base/findings.ts';
import { once } from '../base/once.ts';
import { mayDeliver } from '../base/outcome.ts';
import type { CheckedImage } from '../guard/content/image.ts';
import { policyInForce } from '../guard/decide.ts';
import type { Constitution } from '../guard/policy/constitution.ts';
import { findSecret } from '../guard/secrets/secrets.ts';
import { mark } from '../ledger/ledger.ts';
import { Ram } from '../memory/ram.ts';
import { openNativeProtocol } from '../model/protocols/protocol.ts';
import { openXmlProtocol } from '../model/protocols/xml.ts';
import type { AttachedImages, ToolDefinition } from '../model/turn.ts';
import type { SkillManager } from '../skills/skill-manager.ts';
import type { Tool } from '../tools/tool.ts';
import type { Verifier } from '../verify/verify.ts';
import { checkPackages, describePackages } from './services/check-packages.ts';
import type { LoadedRun, LoopSources, ReadyRun, RunLoop } from './stages.ts';

const changing = new Set(['changing']);

/** Opens the loop of a run. */
export function openLoop(run: ReadyRun, sources: LoopSources): RunLoop {
  const { policy, request, state, services } = run;
  const { settings, constitution, profile } = policy;
  const { tools, skills, states, images } = sources;
  const { templates } = profile;
  const open = profile.protocol === 'xml' ? openXmlProtocol : openNativeProtocol;
  const protocol = open(defineOffered(tools, skills));
  const { ramEntries: entries, ramBytes: bytes } = profile.limits;
  // a small window leaves bytes for results beside the memory
  const ram = new Ram({ entries, bytes: Math.min(bytes, (state.window ?? bytes * 2) / 2) });
  const statesNow = () => statesOn(state.evidence.phase, states, ram.nearlyFull());
  // a random word that marks foreign text in the prompt
  const foreignMark = `data-${randomBytes(8).readBigUInt64BE()}`;
  const instructions = joinInstructions(run, foreignMark);
  const context = toolContext(run, sources, ram);
  const grammarNow = () => {
    const grammar = protocol.grammar(state.evidence.permittedTools);
    return grammar === '' ? '' : fill(templates, 'tools', { tools: grammar });
  };
  const watched = { ...run, loop: { tools, context } };
  const watchNow = request.input.watchSkills === true ? watchSkills(watched) : undefined;
  const mcpNow = services.mcp === undefined ? undefined : watchServers(services.mcp, watched);
  const added = addWords(run);
  const beforeRound = async () => {
    await watchNow?.();
    mcpNow?.();
    added?.join();
    const { readThisRound, plan, patchedFiles } = state.evidence;
    // a hit of a search in a file is no reading of it
    const paths = [...readThisRound.keys(), ...(plan?.affectedFiles ?? []), ...patchedFiles];
    await instructions?.join(paths);
  };
  return {
    ...sources,
    context,
    protocol,
    beforeRound,
    keepRejected: rejectedKeeper(run),
    systemPrompt: () =>
      joinTexts([
        composeSegments(profile, request.kind.changes ? statesNow().union(changing) : statesNow()),
        // a folder's own constitution joins when the plan names a file in it
        ...renderConstitution(policyInForce(constitution, state.evidence), templates),
        grammarNow(),
        skills.getSkillDiscoveryPrompt(),
        // a transcript has it in the result of the activation, so that the prompt stays as it was
        profile.memory === 'ram' ? skills.getActiveSkillsPrompt() : '',
      ]),
    conversation: openConversation({
      profile,
      taskPrompt: promptOfTask(run, sources, foreignMark),
      instructions: () => joinTexts([instructions?.text() ?? '', added?.text() ?? '']),
      images: attachImages(images, templates),
      ram,
      mark: foreignMark,
      states: () => [...statesNow()],
      isActive: activation => skills.lasts(activation),
      activeSkills: () => skills.getActiveSkillsPrompt(),
      cachePrices: getCachePrices(settings.modelPrices),
    }),
  };
}

/** The constitution as the model gets it; in strict mode with what is refused by its letter. */
function renderConstitution(
  { prose, reads }: Constitution,
  templates: Templates,
): readonly string[] {
  return reads === 'strict' ? [prose, fill(templates, 'strict_reads', {})] : [prose];
}

/**
 * The definitions of the tools, in the order in which requests first hold them, so that an activation changes nothing
 * before what it adds.
 */
function defineOffered(tools: readonly Tool[], skills: SkillManager): readonly ToolDefinition[] {
  const isGrantable = ({ name, core, definition }: Tool) =>
    !core && definition.isLate !== true && skills.whichGrant(name).length > 0;
  const rank = (t: Tool) => (t.core ? 0 : isGrantable(t) ? 1 : 2);
  return tools
    .filter(t => t.offered(skills))
    .toSorted((a, b) => rank(a) - rank(b))
    .map(t => (isGrantable(t) ? { ...t.definition, isGrantable: true } : t.definition));
}

function promptOfTask(
  { request: { task, kind, scrub }, policy, services, state }: ReadyRun,
  { map, memory }: LoopSources,
  mark: string,
): string {
  return renderTask(task, {
    mark,
    map,
    testCommand: services.testCommand && scrub(services.testCommand),
    advice: memory?.advice.text ?? '',
    templates: policy.profile.templates,
    // a small window leaves most of its bytes for the work
    maxBackground: state.window ?? maxBackgroundBytes,
    instructions: kind.instructions,
    reportSchema: kind.schema?.(policy)?.text ?? '',
  });
}

/** The instructions of the repository; undefined without any, and for an engine that reads none. */
function joinInstructions(
  { request: { engine, ledger, scrub, note }, policy, state }: ReadyRun,
  foreignMark: string,
): Instructions | undefined {
  const { instructions: found, profile } = policy;
  if (found === undefined || found.files.length === 0 || !engine.readsInstructions)
    return undefined;
  return openInstructions({
    found,
    templates: profile.templates,
    mark: foreignMark,
    // a small window leaves most of its bytes for the work
    maxBytes: Math.min(instructionBounds.all, state.window ?? instructionBounds.all),
    scrub,
    note,
    onJoin: (used, hidden) => {
      state.instructions.push(used);
      state.hiddenShown += hidden;
      ledger.append({
        ...mark('instructions.read', { sha256: used.sha256 }),
        phase: state.evidence.phase,
        paths: [used.path.slice(0, 300)],
      });
    },
  });
}

/** The words that people add to the task of a run at work; undefined where nobody can. */
function addWords({
  request: { takeMessages, environment, ledger, scrub },
  state,
}: ReadyRun): { join(): void; text(): string } | undefined {
  if (takeMessages === undefined) return undefined;
  const shown: string[] = [];
  return {
    join: () => {
      for (const { by, text, hidden } of takeMessages()) {
        const clean = scrub(text);
        shown.push(environment.taskTexts('added', { by, text: clean }));
        state.hiddenShown += hidden;
        const facts = { by, sha256: digest(clean) };
        ledger.append({ ...mark('words.read', facts), phase: state.evidence.phase });
      }
    },
    text: () => shown.join('\n\n'),
  };
}

/** The images as every request holds them; undefined when there are none. */
function attachImages(
  images: readonly CheckedImage[],
  templates: Templates,
): AttachedImages | undefined {
  if (images.length === 0) return undefined;
  const count = { count: images.length };
  return {
    list: images.map(i => ({
      mediaType: i.mediaType,
      base64: Buffer.from(i.bytes).toString('base64'),
    })),
    intro: fill(templates, 'images', count),
    instead: fill(templates, 'images_left_out', count),
  };
}

/** Most bytes of a task's background where no window is known. */
const maxBackgroundBytes = 32_000;

function toolContext(
  run: ReadyRun,
  { skills, coreTools, states, memory, reviewCollector, report, look }: LoopSources,
  ram: Ram,
): RunLoop['context'] {
  const { request, policy } = run;
  const { session, symbols, navigation, commands, mcp, verifier, locks } = run.services;
  const { task, environment, scrub, limit } = request;
  const { headBranch: head } = task;
  return {
    task: task.prompt,
    session,
    symbols,
    navigator: navigation.navigator,
    syntax: navigation.syntax,
    policy: policy.constitution,
    skills,
    coreTools,
    ram,
    states,
    commands,
    mcp,
    commandNetwork: policy.settings.network.commands === 'allow',
    verify: verifier === undefined ? undefined : openVerify(run, verifier, look),
    remakeLocks: locks?.remake,
    records: memory?.runRecords,
    pullDiff: head === undefined ? undefined : once(() => environment.pullDiff(head)),
    findings: reviewCollector,
    report,
    holdsSecret: text => findSecret(text, environment.secrets),
    scrub,
    signal: limit.signal,
  };
}

/** The verification as the model asks for it. Of a patch that passes, it hears what speaks against it before it can finish. */
function openVerify(
  run: ReadyRun,
  verifier: Verifier,
  look: LoopSources['look'],
): NonNullable<RunLoop['context']['verify']> {
  const { session } = run.services;
  const reported = new Set<string>();
  return async () => {
    const digest = session.patchDigest();
    const result = await verifier.verify(session.changes(), digest, mayEndEarly(run));
    if (!mayDeliver(result.verification) || session.changes().length === 0) return result;
    const check = await checkPackages(run);
    const news = (check?.advisories ?? [])
      .map(describeAdvisory)
      .filter(each => !reported.has(each));
    for (const each of news) reported.add(each);
    const advisories = check && news.length > 0 ? describePackages(check) : undefined;
    const faults = await look?.(result.message);
    const against = [advisories, faults].filter(text => text !== undefined);
    if (against.length === 0) return result;
    const message = [result.message, ...against].join('\n\n');
    return { ...result, message, news: 'its verification says something against the patch' };
  };
}

/** Only for a model that learns from the failing tests, and not where a failure would end the run. */
function mayEndEarly({ request: { engine }, policy, state }: ReadyRun): boolean {
  const { limits } = policyInForce(policy.constitution, state.evidence);
  return engine.readsInstructions && state.failedVerifications < limits.repairs;
}

/** The texts that are not empty, with an empty line between them. */
function joinTexts(texts: readonly string[]): string {
  return texts.filter(t => t !== '').join('\n\n');
}

/** Most bytes of refused replies that a run keeps; past it, the ledger's digest stands for them. */
const maxRejectedBytes = 10_000_000;

/** Keeps the text of replies that could not be read beside the ledger, without secrets. */
function rejectedKeeper({
  request: { scrub, folder },
}: LoadedRun): (rejected: RejectedReply) => void {
  let bytes = 0;
  return rejected => {
    const line = `${scrub(JSON.stringify(rejected))}\n`;
    bytes += Buffer.byteLength(line);
    if (bytes <= maxRejectedBytes) folder.append(folder.rejectedPath, line);
  };
}
