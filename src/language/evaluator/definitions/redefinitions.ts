/** Types and functions of the main manifest that are defined twice. */

import { failure } from '../../catalog/index.ts';
import { findBuiltinType } from '../../pcore/index.ts';
import { type Definition, Locator, type Program } from '../../syntax/index.ts';

const AUTHORITY = 'http://puppet.com/2016.1/runtime';

/** @throws PuppetError for the second definition of a name, or one that the language has already */
export function refuseRedefinitions(programs: readonly Program[]): void {
  const origins = new Map<string, string>();
  for (const program of programs) {
    const locator = new Locator(program.source);
    for (const definition of program.definitions) {
      const entity = entityOf(definition);
      if (entity === undefined) continue;
      const known = origins.get(entity) ?? builtInOrigin(definition);
      if (known !== undefined) {
        throw failure(`Attempt to redefine entity '${AUTHORITY}/${entity}'. Originally set ${known}.`);
      }
      origins.set(entity, `at ${placeOf(program, locator, definition.offset)}`);
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

function placeOf({ source }: Program, locator: Locator, offset: number): string {
  const { line, column } = locator.position(offset);
  const file = source.file === '' ? 'string:' : `file:${source.file}`;
  return `${file}?line=${line}&pos=${column}`;
}
