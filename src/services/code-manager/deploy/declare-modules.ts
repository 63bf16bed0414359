/** Joins the modules of an environment's definition with those of its Puppetfile. */

import { DeployError } from '../deploy-error.ts';
import type { EnvironmentDefinition } from '../environments/environment-definition.ts';
import type { ArgumentHash } from '../modules/module-argument.ts';
import {
  type DeclarationContext,
  decodeModule,
  type ModuleDeclaration,
} from '../modules/module-declaration.ts';

export interface DeclaredModules {
  readonly modules: readonly ModuleDeclaration[];
  readonly warnings: readonly string[];
}

/** @throws DeployError when both name a module and the definition forbids that */
export function declareModules(
  { modules, moduleConflicts }: EnvironmentDefinition,
  fromPuppetfile: readonly ModuleDeclaration[],
  context: DeclarationContext,
): DeclaredModules {
  const own = Array.from(modules, ([title, args]) =>
    decodeModule(title, args as ArgumentHash | string | null, context),
  );
  const names = new Set(own.map(({ name }) => name));
  const conflicts = fromPuppetfile.filter(({ name }) => names.has(name));
  const messages = conflicts.map(({ name }) => `Environment and puppetfile both define the "${name}" module`);
  if (messages[0] !== undefined && moduleConflicts === 'error') throw new DeployError(messages[0]);
  return {
    modules: [...own, ...fromPuppetfile.filter(({ name }) => !names.has(name))],
    warnings:
      moduleConflicts === 'override_and_warn'
        ? messages.map((message) => `${message}. The puppetfile definition will be ignored`)
        : [],
  };
}
