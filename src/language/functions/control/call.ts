import { fault } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';
import { resolveDeferred } from './resolve-deferred.ts';

/** `call(name, *args)`: the function of that name; `call(deferred)`: what a deferred call gives when made now. */
export const call = defineFunction({
  name: 'call',
  bytes: 'values',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'function_name' },
        { type: 'Any', name: 'arguments', arity: 'repeated' },
      ],
      block: { name: 'block', isOptional: true },
      call: (context, [name, ...args], block) => {
        if (!context.isFunctionKnown(String(name))) throw fault(`Unknown function '${String(name)}'`);
        return context.callFunction(String(name), args, block);
      },
    },
    {
      parameters: [{ type: 'Deferred', name: 'deferred' }],
      call: (context, [deferred = null]) => resolveDeferred(context, deferred),
    },
  ],
});
