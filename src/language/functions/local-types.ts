import { LOOKUP_CONTEXT_TYPE } from '../hiera/index.ts';
import { AliasType, NO_ALIASES, type PuppetType, parseType, type TypeResolver } from '../pcore/index.ts';

/**
 * Finds the type aliases that a function declares for its signatures; they may refer to each other. The type of a
 * lookup's context is known to all of them.
 */
export function localTypeResolver(
  definitions: Readonly<Record<string, string>>,
  others: TypeResolver = NO_ALIASES,
): TypeResolver {
  const aliases = new Map<string, PuppetType>([['puppet::lookupcontext', LOOKUP_CONTEXT_TYPE]]);
  const resolver: TypeResolver = {
    findAlias: (name) => aliases.get(name.toLowerCase()) ?? others.findAlias(name),
  };
  for (const [name, text] of Object.entries(definitions))
    aliases.set(name.toLowerCase(), new AliasType(name, () => parseType(text, resolver)));
  return resolver;
}
