/** Functions that tell people something. */

import type { BuiltinFunction } from '../../functions/index.ts';
import { messageText } from '../plan-message.ts';
import type { PlanFunction, PlanWorld } from '../plan-world.ts';
import type { PlanEvent, PlanLogLevel } from '../run/plan-host.ts';

function telling(name: string, eventOf: (message: string) => PlanEvent): PlanFunction {
  return (world: PlanWorld): BuiltinFunction => ({
    name,
    dispatches: [
      {
        parameters: [{ type: 'Any', name: 'message' }],
        returns: 'Undef',
        call: (_context, [message = null]) => {
          world.run.tell(eventOf(messageText(message)));
          return null;
        },
      },
    ],
  });
}

const LEVELS: readonly PlanLogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

export const messageFunctions: readonly PlanFunction[] = [
  telling('out::message', (message) => ({ kind: 'message', message })),
  telling('out::verbose', (message) => ({ kind: 'verbose', message })),
  ...LEVELS.map((level) => telling(`log::${level}`, (message) => ({ kind: 'log', level, message }))),
];
