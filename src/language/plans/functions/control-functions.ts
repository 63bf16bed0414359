/** Functions about time, repetition and what is shown meanwhile. */

import { PuppetHash, SensitiveValue } from '../../pcore/index.ts';
import { PlanError, validationError } from '../plan-error.ts';
import type { PlanFunction } from '../plan-world.ts';
import { PLAN_TYPES } from '../values/plan-types.ts';
import { actionOptions, isSet, numberOf } from './action-options.ts';
import { carryOut, unlessFailed } from './carry-out.ts';

const sleep: PlanFunction = (world) => ({
  name: 'ctrl::sleep',
  dispatches: [
    {
      parameters: [{ type: 'Numeric', name: 'period' }],
      returns: 'Undef',
      call: (_context, [period]) => {
        world.run.act({ kind: 'sleep', seconds: numberOf(period) });
        return null;
      },
    },
  ],
});

const doUntil: PlanFunction = (world) => ({
  name: 'ctrl::do_until',
  dispatches: [
    {
      parameters: [{ type: 'Hash[String[1], Any]', name: 'options', arity: 'optional' }],
      block: {},
      call: (_context, [given], block) => {
        const options = given instanceof PuppetHash ? given : new PuppetHash();
        const limit = numberOf(options.get('limit'));
        const interval = options.get('interval') ?? null;
        for (let count = 1; ; count += 1) {
          const value = block?.call([]) ?? null;
          if ((value !== null && value !== false) || (limit !== 0 && count >= limit)) return value;
          if (interval !== null) world.run.act({ kind: 'sleep', seconds: numberOf(interval) });
        }
      },
    },
  ],
});

const withoutDefaultLogging: PlanFunction = (world) => ({
  name: 'without_default_logging',
  dispatches: [
    {
      parameters: [],
      block: { type: 'Callable[0, 0]' },
      call: (_context, _args, block) => world.run.quietly(() => block?.call([]) ?? null),
    },
  ],
});

const waitUntilAvailable: PlanFunction = (world) => ({
  name: 'wait_until_available',
  types: PLAN_TYPES,
  dispatches: [
    {
      parameters: [
        { type: 'Boltlib::TargetSpec', name: 'targets' },
        { type: 'Hash[String[1], Any]', name: 'options', arity: 'optional' },
      ],
      call: (context, [wanted = null, given]) => {
        const options = given instanceof PuppetHash ? given : new PuppetHash();
        const description = String(options.get('description') ?? 'wait until available');
        const results = carryOut(world, {
          action: (targets) => ({
            kind: 'wait',
            seconds: numberOf(options.get('wait_time') ?? 120),
            retrySeconds: numberOf(options.get('retry_interval') ?? 1),
            targets,
            options: actionOptions(world, description, new PuppetHash()),
          }),
          targets: world.targets(wanted),
          name: 'wait_until_available',
          object: description,
          position: context.position,
        });
        return unlessFailed(results, isSet(options, '_catch_errors'), 'wait_until_available');
      },
    },
  ],
});

/** There is no user to ask: a plan runs in a server. */
const prompt: PlanFunction = () => ({
  name: 'prompt',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'prompt' },
        { type: 'Hash[String[1], Any]', name: 'options', arity: 'optional' },
      ],
      call: (_context, [, given]) => {
        const options = given instanceof PuppetHash ? given : new PuppetHash();
        const answer = options.get('default') ?? null;
        if (answer !== null && typeof answer !== 'string')
          throw validationError("Option 'default' must be a string");
        if (answer === null) throw PlanError.of('bolt/no-tty-error', 'STDIN is not a tty, unable to prompt');
        return isSet(options, 'sensitive') ? new SensitiveValue(answer) : answer;
      },
    },
  ],
});

export const controlFunctions: readonly PlanFunction[] = [
  sleep,
  doUntil,
  withoutDefaultLogging,
  waitUntilAvailable,
  prompt,
];
