/** Groups and classifications as they are answered. */

import { ServiceError } from '../../lib/service-error.ts';
import type { ClassificationAnswer, GroupAnswer } from './answers/wire.ts';
import type { Steps } from './classify.ts';
import type { Condition } from './condition.ts';
import { type ConflictDetail, type Conflicts, describeConflicts } from './conflicts.ts';
import type { Classification, Group, GroupDefinition } from './group.ts';

export function renderGroup(group: Group): GroupAnswer {
  return { ...renderDefinition(group), ...renderState(group) };
}

/** A group of a preview. @param id - the id that the preview gave it */
export function renderTriedOut(group: Group, id: string | undefined) {
  const { id: _id, ...definition } = renderDefinition(group);
  return id === undefined ? definition : { ...definition, id };
}

/** With what it inherits. */
export function renderInherited(
  group: Group,
  inherited: Classification,
  rule: Condition | undefined,
): GroupAnswer {
  return { ...renderDefinition({ ...group, ...inherited }, rule), ...renderState(group) };
}

export function renderClassified(name: string, { final, leaves, matching, conflicts }: Steps) {
  if (final === undefined) throw conflictError(leaves, conflicts ?? {});
  return {
    name,
    groups: matching.map(({ id }) => id),
    environment: final.environment,
    classes: final.classes,
    parameters: final.variables,
  };
}

/** Version 2 of the answer: groups with their names. */
export function renderShort(name: string, steps: Steps) {
  const groups = steps.matching.map(({ id, name: group }) => ({ id, name: group }));
  return {
    ...renderClassified(name, steps),
    config_data: steps.final?.configData ?? {},
    groups: groups.sort((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name))),
  };
}

/** @returns the values of a node on which its groups disagree */
function conflictError(leaves: Steps['leaves'], conflicts: Conflicts): ServiceError {
  return new ServiceError('compile-failed', describeConflicts(leaves, conflicts), {
    kind: 'classification-conflict',
    details: { ...renderConflicts(conflicts) },
  });
}

export function renderConflicts({ classes, configData, environment, variables }: Conflicts) {
  const renderClasses = (found: NonNullable<Conflicts['classes']>) =>
    mapValues(found, (each) => mapValues(each, renderAll));
  return {
    ...(environment === undefined ? {} : { environment: environment.map(renderDetail) }),
    ...(classes === undefined ? {} : { classes: renderClasses(classes) }),
    ...(configData === undefined ? {} : { config_data: renderClasses(configData) }),
    ...(variables === undefined ? {} : { variables: mapValues(variables, renderAll) }),
  };
}

export function renderClassification({
  classes,
  configData,
  environment,
  variables,
}: Omit<Classification, 'environmentTrumps'>): ClassificationAnswer {
  return { environment, classes, variables, config_data: configData };
}

function renderDefinition(definition: GroupDefinition & { readonly id: string }, rule = definition.rule) {
  return {
    name: definition.name,
    id: definition.id,
    ...(definition.description === undefined ? {} : { description: definition.description }),
    environment: definition.environment,
    environment_trumps: definition.environmentTrumps,
    parent: definition.parent,
    ...(rule === undefined ? {} : { rule }),
    classes: definition.classes,
    variables: definition.variables,
    config_data: definition.configData,
  };
}

function renderState({ lastEdited, serialNumber }: Group) {
  return { last_edited: lastEdited.toISOString(), serial_number: serialNumber };
}

function renderAll(details: readonly ConflictDetail[]) {
  return details.map(renderDetail);
}

function renderDetail({ definedBy, from, value }: ConflictDetail) {
  return { value, from: renderGroup(from), defined_by: renderGroup(definedBy) };
}

function mapValues<T, R>(
  values: Readonly<Record<string, T>>,
  render: (value: T) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, render(value)]));
}
