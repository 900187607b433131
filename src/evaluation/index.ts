/** What the rest of Photon knows of evaluations: tasks from past commits, how they are played, and reports of both. */
export { evaluate } from './evaluate.ts';
export { type EvaluationContext, type FoundTasks, findTasks } from './find.ts';
export { parseInstances, renderPredictions, taskOfInstance } from './instances.ts';
export { renderEvaluation, renderEvaluationPage, shortTask, taskLine } from './report.ts';
export {
  compareEvaluations,
  type Evaluation,
  isEvaluation,
  joinEvaluations,
  parseEvaluation,
  summariseEvaluation,
} from './result.ts';
export { evaluationFolder, hashKey, openEvaluationStore } from './store.ts';
export {
  chooseTasks,
  configFacts,
  type EvalTask,
  isInPart,
  parsePart,
  presentConfig,
  promptKinds,
  withPresentConfig,
  writingInTurn,
} from './task.ts';
export { withTestServices } from './test-services.ts';
