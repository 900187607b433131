/** What is stated of another agent: its action, and what each of its settings is at Photon. */
import type { OutputName } from '../../settings/output.ts';
import type { InputName } from '../../settings/settings.ts';

/** What a setting of another agent is at Photon. A text alone says why it has no counterpart, or what is nearest. */
export type Counterpart = string | Carried | Covered | Nested;

interface Carried {
  readonly to: InputName;
  /**
   * The text of the input, or several inputs; empty for the default, and undefined for a value that Photon cannot take.
   * Without it, the value stays as it is.
   */
  readonly read?: (value: string) => string | InputValues | undefined;
  readonly note?: string;
}

/** What Photon does without a setting. */
interface Covered {
  readonly here: string;
}

/** A text that holds further settings. */
interface Nested {
  readonly holds: 'arguments' | 'json';
  /** By flag, or by path in the JSON, such as `model.name`. */
  readonly entries: Counterparts;
}

export type Counterparts = Readonly<Record<string, Counterpart>>;
export type InputValues = Readonly<Partial<Record<InputName, string>>>;

export interface SourceAgent {
  /** As `--from` takes it. */
  readonly name: string;
  readonly title: string;
  /** Matches its action, without the version. */
  readonly uses: RegExp;
  /** Where its inputs are described. */
  readonly source: string;
  /** Its inputs, those of earlier versions as well. */
  readonly inputs: Counterparts;
  /** Values of inputs that are not given, which matter to the events that start it. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Its outputs; undefined for one without a counterpart. */
  readonly outputs: Readonly<Record<string, OutputName | undefined>>;
}

/** What a workflow is for. */
export type Kind = 'commands' | 'review' | 'repair' | 'task';
