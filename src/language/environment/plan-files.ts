/** Plans by their names: `module/plans/path.pp` or `.yaml`, `init` for the plan with the name of its module. */

import { type PlanDefinition, type Program, PuppetError } from '../syntax/index.ts';
import type { Found } from './definition-table.ts';
import type { FileTree } from './file-tree.ts';
import { joinPath } from './logical-path.ts';
import type { Module } from './module.ts';

export interface PlanFile {
  /** Logical. */
  readonly path: string;
  readonly language: 'puppet' | 'yaml';
  readonly module: Module;
}

const SUFFIXES = [
  ['.pp', 'puppet'],
  ['.yaml', 'yaml'],
] as const;

/** @param name - lower case, without `::` in front */
export function findPlanFile(
  name: string,
  modules: ReadonlyMap<string, Module>,
  files: FileTree,
): PlanFile | undefined {
  const [namespace = '', ...rest] = name.split('::');
  const module = modules.get(namespace);
  if (module === undefined || !rest.every((segment) => SEGMENT.test(segment))) return undefined;
  const base = joinPath(module.directory, 'plans', ...(rest.length === 0 ? ['init'] : rest));
  for (const [suffix, language] of SUFFIXES) {
    const path = `${base}${suffix}`;
    if (files.kind(path) === 'file') return { path, language, module };
  }
  return undefined;
}

const SEGMENT = /^[a-z][a-z0-9_]*$/;

/** The names of all plans, sorted. */
export function planNames(modules: ReadonlyMap<string, Module>, files: FileTree): readonly string[] {
  const names = new Set<string>();
  for (const module of modules.values())
    collect(joinPath(module.directory, 'plans'), module.name, { files, names });
  return [...names].toSorted();
}

function collect(
  directory: string,
  prefix: string,
  into: { readonly files: FileTree; readonly names: Set<string> },
): void {
  for (const { kind, name } of into.files.list(directory) ?? []) {
    if (kind === 'directory') {
      if (SEGMENT.test(name)) collect(joinPath(directory, name), `${prefix}::${name}`, into);
      continue;
    }
    const [, base = '', suffix] = /^([a-z][a-z0-9_]*)(\.pp|\.yaml)$/.exec(name) ?? [];
    if (suffix === undefined) continue;
    into.names.add(base === 'init' && !prefix.includes('::') ? prefix : `${prefix}::${base}`);
  }
}

/** @throws PuppetError when the file has something else, or more */
export function solePlan(program: Program, name: string, module: Module): Found<PlanDefinition> {
  const { file } = program.source;
  // Those of nodes are within `apply`: nothing else may have one.
  const [definition, second] = program.definitions.filter(({ kind }) => kind !== 'NodeDefinition');
  if (definition === undefined) {
    throw loadError(`The code loaded from ${file} does not define the plan '${name}' - it is empty.`);
  }
  if (second !== undefined) {
    throw loadError(
      `The code loaded from ${file} must contain only the plan '${name}' - it has additional definitions.`,
    );
  }
  if (definition.kind !== 'PlanDefinition') {
    throw loadError(`The code loaded from ${file} does not define the plan '${name}' - no plan found.`);
  }
  if (definition.name !== name) {
    throw loadError(
      `The code loaded from ${file} produced plan with the wrong name, expected ${name}, actual ${definition.name}`,
    );
  }
  return { definition, program, module };
}

function loadError(message: string): PuppetError {
  return new PuppetError({ code: 'loader_failure', severity: 'error', message });
}
