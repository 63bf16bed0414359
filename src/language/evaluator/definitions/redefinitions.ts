/** Types and functions of the main manifest that are defined twice. */

import { originOf, redefinedEntity } from '../../environment/index.ts';
import { findBuiltinType } from '../../pcore/index.ts';
import type { Definition, Program } from '../../syntax/index.ts';

/** @throws PuppetError for the second definition of a name, or one that the language has already */
export function refuseRedefinitions(programs: readonly Program[]): void {
  const origins = new Map<string, string>();
  for (const program of programs) {
    for (const definition of program.definitions) {
      const entity = entityOf(definition);
      if (entity === undefined) continue;
      const known = origins.get(entity) ?? builtInOrigin(definition);
      if (known !== undefined) throw redefinedEntity(entity, known);
      origins.set(entity, originOf(program, definition.offset));
    }
  }
}

function entityOf(definition: Definition): string | undefined {
  switch (definition.kind) {
    case 'TypeAlias':
    case 'TypeDefinition':
      return `type/${definition.name.toLowerCase()}`;
    case 'FunctionDefinition':
      return `function/${definition.name}`;
    default:
      return undefined;
  }
}

function builtInOrigin(definition: Definition): string | undefined {
  const isType = definition.kind === 'TypeAlias' || definition.kind === 'TypeDefinition';
  return isType && findBuiltinType(definition.name) !== undefined
    ? 'by Puppet-Type-System/Static-Loader'
    : undefined;
}
