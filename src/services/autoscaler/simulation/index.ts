/** Front door of simulations: only for commands, so that servers do not load it. */

export type { Outcome } from './outcome.ts';
export { scenarios } from './scenarios.ts';
export { type ControllerName, controllerNames, type SimulatedDay, simulateDay } from './simulate-day.ts';
