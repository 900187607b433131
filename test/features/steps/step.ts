/** A step: a Cucumber expression, and what it does in a world. */
import { CucumberExpression, ParameterTypeRegistry } from '@cucumber/cucumber-expressions';
import type { World } from '../world.ts';

// biome-ignore lint/suspicious/noExplicitAny: the expression decides how many arguments there are, and of which type
export type StepBody = (world: World, ...args: any[]) => void | Promise<void>;

export interface StepDefinition {
  readonly text: string;
  readonly expression: CucumberExpression;
  readonly body: StepBody;
}

const registry = new ParameterTypeRegistry();

/** Defines a step by its phrase. */
export function step(text: string, body: StepBody): StepDefinition {
  return { text, expression: new CucumberExpression(text, registry), body };
}
