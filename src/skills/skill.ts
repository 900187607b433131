/** One skill as read from its SKILL.md: Boundary (front matter) and Kernel (body), apart. */
import * as z from 'zod';
import { PhotonError } from '../codes.ts';
import { parseFrontMatter } from '../guard/front-matter.ts';

const words = z.array(z.string().min(1).max(500)).max(50);

const photonKeys = z.object({
  constraints: words.optional(),
  interface: z.string().max(4000).optional(),
  requires: z.object({ tools: words.optional(), skills: words.optional() }).optional(),
  version: z.string().max(40).optional(),
});

const boundarySchema = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case words joined by -')
    .max(64),
  description: z.string().min(1).max(1024),
  'allowed-tools': z.union([z.string(), z.array(z.string())]).optional(),
  photon: photonKeys.optional(),
});

/** A skill. No `allowed-tools` means none. */
export interface Skill {
  readonly name: string;
  /** Where its SKILL.md is; a bundled one lies below the folder of the action. */
  readonly path: string;
  readonly description: string;
  readonly allowedTools: readonly string[];
  readonly constraints: readonly string[];
  readonly interface: string;
  readonly requiredTools: readonly string[];
  readonly requiredSkills: readonly string[];
  readonly version: string;
  /** The body; read at activation only. */
  readonly kernel: string;
}

/** Most bytes of one SKILL.md. */
const maxBytes = 256 * 1024;

/**
 * Reads a SKILL.md.
 * @throws PhotonError `SKILL_INVALID` naming file, key and what is expected.
 */
export function parseSkill(text: string, path: string): Skill {
  if (text.length > maxBytes)
    throw new PhotonError('SKILL_INVALID', `${path}: larger than ${maxBytes} bytes`);
  const { data, body } = boundary(text, path);
  const parsed = boundarySchema.safeParse(data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      i => `${path}: ${i.path.map(String).join('.')}: ${i.message}`,
    );
    throw new PhotonError('SKILL_INVALID', problems.join('\n'));
  }
  const { name, description, photon } = parsed.data;
  return {
    name,
    path,
    description: description.replace(/\s+/g, ' ').trim(),
    allowedTools: toolList(parsed.data['allowed-tools']),
    constraints: photon?.constraints ?? [],
    interface: photon?.interface?.trim() ?? '',
    requiredTools: photon?.requires?.tools ?? [],
    requiredSkills: photon?.requires?.skills ?? [],
    version: photon?.version ?? '',
    kernel: body,
  };
}

function boundary(text: string, path: string): { data: unknown; body: string } {
  try {
    return parseFrontMatter(text);
  } catch (error) {
    throw new PhotonError('SKILL_INVALID', `${path}: ${(error as Error).message}`);
  }
}

/** Tool lists are written with commas, spaces or as a YAML list; one spelling comes out. */
function toolList(value: string | readonly string[] | undefined): readonly string[] {
  const items = typeof value === 'string' ? value.split(/[\s,]+/) : (value ?? []);
  return [...new Set(items.map(i => i.trim()).filter(i => i !== ''))];
}
