/** A day of a fleet, with one scenario and one way to decide. */

import type { Demand } from '../number/demand.ts';
import {
  type Controller,
  type ControllerOptions,
  groupController,
  podController,
  ruleController,
} from './controllers.ts';
import { brokenBounds, type Minute, type Outcome } from './outcome.ts';
import type { Scenario } from './scenarios.ts';
import { Simulation, type SimulationOptions } from './simulation.ts';

/**
 * `rule`: our own rule. `group`, `hpa`: models of a group of AWS that tracks the capacity used, and of the Horizontal Pod Autoscaler
 * with the demand. `cpu`: the group, with processor time alone.
 */
export const controllerNames = ['rule', 'group', 'hpa', 'cpu'] as const;
export type ControllerName = (typeof controllerNames)[number];

const controllers: Readonly<Record<ControllerName, (options: ControllerOptions) => Controller>> = {
  rule: ruleController,
  group: (options) => groupController('group', ({ demand }) => demand?.capacityUsed, options),
  hpa: podController,
  cpu: (options) => groupController('cpu', ({ busyShare }) => busyShare, options),
};

export interface SimulatedDay {
  readonly outcome: Outcome;
  /** In words, with the figure. */
  readonly brokenBounds: readonly string[];
  readonly processorSeconds: number;
}

export interface DayOptions extends Omit<SimulationOptions, 'controller' | 'scenario' | 'onMinute'> {
  readonly onMinute?: (minute: Minute, demand: Demand) => void;
}

export function simulateDay(scenario: Scenario, name: ControllerName, options: DayOptions): SimulatedDay {
  const before = process.cpuUsage();
  const outcome = new Simulation({ ...options, scenario, controller: controllers[name] }).run();
  const { system, user } = process.cpuUsage(before);
  return {
    outcome,
    brokenBounds: brokenBounds(outcome, options.herdToleranceSeconds),
    processorSeconds: (system + user) / 1e6,
  };
}
