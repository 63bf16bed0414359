/** Functions that only make sense while a catalog is compiled. */

import type { PlanFunction } from '../plan-world.ts';
import { atLine } from './module-path.ts';

const NAMES = ['contain', 'create_resources', 'include', 'realize', 'require', 'tag', 'tagged'] as const;

export const catalogOperations: readonly PlanFunction[] = NAMES.map((name) => () => ({
  name,
  dispatches: [
    {
      parameters: [{ type: 'Any', name: 'args', arity: 'repeated' }],
      block: { isOptional: true },
      call: (context) => {
        const message = `The catalog operation '${name}' is only available when compiling a catalog`;
        throw atLine(message, context.position);
      },
    },
  ],
}));
