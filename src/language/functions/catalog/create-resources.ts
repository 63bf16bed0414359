import { fault, inspect, PuppetHash, rubyClassName, type Value } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { conversionName } from '../ruby/format-string.ts';

/**
 * `create_resources(type, resources, defaults)`: declares resources from a hash of titles to parameters.
 * `@type` makes them virtual, `@@type` exports them, `class` declares classes.
 */
export const createResources = defineLegacyFunction({
  name: 'create_resources',
  arity: -3,
  isStatement: true,
  call: (context, args) => {
    const [type, resources, defaults = new PuppetHash()] = args;
    if (args.length > 3)
      throw fault(`create_resources(): wrong number of arguments (${args.length}; must be 2 or 3)`);
    if (!(resources instanceof PuppetHash)) throw fault('create_resources(): second argument must be a hash');
    if (!(defaults instanceof PuppetHash))
      throw fault('create_resources(): third argument, if provided, must be a hash');
    for (const parameters of resources.values()) requireHash(parameters);
    return context.catalog.createResources(nameOf(type), resources, defaults);
  },
});

function requireHash(parameters: Value): void {
  if (!(parameters instanceof PuppetHash))
    throw fault(`no implicit conversion of ${conversionName(parameters)} into Hash`);
}

function nameOf(type: Value | undefined): string {
  if (typeof type === 'string') return type;
  const value = type ?? null;
  throw fault(`undefined method \`sub' for ${inspect(value)}:${rubyClassName(value)}`);
}
