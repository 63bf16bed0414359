/** The commands that archives hold, each with what the reference replaces in it. */

import { isRawNumber } from '../../../lib/raw-json.ts';
import { type Anonymizer, listOf, type Members, membersOf } from './anonymizer.ts';
import type { LeafContext } from './profile.ts';

export type AnonymizeCommand = (anonymizer: Anonymizer, command: Members) => Members;

const producer = { certname: 'node', producer: 'node', environment: 'environment' } as const;
const place = { file: 'file', line: 'line' } as const;

export const anonymizeCatalog: AnonymizeCommand = (anonymizer, catalog) => ({
  ...catalog,
  ...anonymizer.members(catalog, { ...producer, transaction_uuid: 'transaction_uuid' }),
  edges: listOf(catalog['edges']).map((edge) => anonymizeEdge(anonymizer, membersOf(edge))),
  resources: listOf(catalog['resources']).map((resource) =>
    anonymizeResource(anonymizer, membersOf(resource)),
  ),
});

export const anonymizeFacts: AnonymizeCommand = (anonymizer, facts) => ({
  ...facts,
  ...anonymizer.members(facts, producer),
  values: anonymizeFactValues(anonymizer, membersOf(facts['values'])),
});

export const anonymizeReport: AnonymizeCommand = (anonymizer, report) => ({
  ...report,
  ...anonymizer.members(report, { ...producer, transaction_uuid: 'transaction_uuid' }),
  resources: listOf(report['resources']).map((resource) =>
    anonymizeReportedResource(anonymizer, membersOf(resource)),
  ),
  metrics: listOf(report['metrics']).map((metric) => anonymizeMetric(anonymizer, membersOf(metric))),
  logs: listOf(report['logs']).map((log) => anonymizeLog(anonymizer, membersOf(log))),
});

export const anonymizeCatalogInputs: AnonymizeCommand = (anonymizer, command) => ({
  ...command,
  ...anonymizer.members(command, { certname: 'node' }),
  inputs: listOf(command['inputs']).map((input) => {
    const [type, value] = listOf(input);
    return [anonymizer.leaf('catalog-input-type', type), anonymizer.leaf('catalog-input-value', value)];
  }),
});

export const anonymizeExpiration: AnonymizeCommand = (anonymizer, command) => ({
  ...command,
  ...anonymizer.members(command, { certname: 'node' }),
});

/** Of which the reference's archives have none: as resources of packages are called, and what is said of them. */
export function anonymizePackage(
  anonymizer: Anonymizer,
  [name, ...rest]: readonly string[],
): readonly unknown[] {
  return [
    anonymizer.leaf('title', name, { type: 'Package' }),
    ...rest.map((value) => anonymizer.leaf('parameter-value', value)),
  ];
}

function anonymizeEdge(anonymizer: Anonymizer, edge: Members): Members {
  const end = (name: string): Members => {
    const { title, type } = membersOf(edge[name]);
    const context = { type: textOf(type) };
    return { title: anonymizer.leaf('title', title, context), type: anonymizer.leaf('type', type, context) };
  };
  return { ...edge, source: end('source'), target: end('target') };
}

function anonymizeResource(anonymizer: Anonymizer, resource: Members): Members {
  const context = { type: textOf(resource['type']) };
  const parameters = Object.entries(membersOf(resource['parameters']));
  return {
    ...resource,
    ...anonymizer.members(resource, { ...place, title: 'title', type: 'type' }, context),
    tags: anonymizer.tags(resource['tags']),
    parameters: Object.fromEntries(
      parameters.map(([name, value]) => anonymizeParameter(anonymizer, name, value, context)),
    ),
  };
}

/** The reference's rules on names of parameters hold nowhere: it does not tell them the name. */
function anonymizeParameter(
  anonymizer: Anonymizer,
  name: string,
  value: unknown,
  context: LeafContext,
): readonly [string, unknown] {
  switch (name) {
    case 'stage':
    case 'tag':
      return [name, anonymizer.leaf('title', value, context)];
    case 'alias':
      return [name, each(value, (alias) => anonymizer.leaf('title', alias, context))];
    case 'require':
    case 'before':
    case 'notify':
    case 'subscribe':
      return [name, each(value, (reference) => anonymizer.reference(String(reference)))];
    default:
      return [
        String(anonymizer.leaf('parameter-name', name, context)),
        anonymizer.leaf('parameter-value', value, context),
      ];
  }
}

function each(value: unknown, replace: (value: unknown) => unknown): unknown {
  if (value === null) return null;
  return Array.isArray(value) ? value.map(replace) : replace(value);
}

function anonymizeFactValues(anonymizer: Anonymizer, values: Members): Members {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const context = { factName: name };
      const isMap =
        typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
      const replaced = isMap
        ? anonymizeFactValues(anonymizer, value as Members)
        : anonymizer.leaf('fact-value', value, context);
      return [String(anonymizer.leaf('fact-name', name, context)), replaced];
    }),
  );
}

function anonymizeReportedResource(anonymizer: Anonymizer, resource: Members): Members {
  const context = { type: textOf(resource['resource_type']) };
  const path = resource['containment_path'];
  return {
    ...resource,
    ...anonymizer.members(resource, { ...place, resource_title: 'title', resource_type: 'type' }, context),
    ...(path === undefined ? {} : { containment_path: anonymizer.containmentPath(path) }),
    events: listOf(resource['events']).map((event) => anonymizeEvent(anonymizer, membersOf(event), context)),
  };
}

/**
 * What a message says of a secret parameter is replaced by the profile `low` as it is documented: the reference asks
 * about a parameter that it does not name, and lets it through.
 */
function anonymizeEvent(anonymizer: Anonymizer, event: Members, context: LeafContext): Members {
  const { message, property } = event;
  return {
    ...event,
    ...anonymizer.members(
      event,
      { property: 'parameter-name', new_value: 'parameter-value', old_value: 'parameter-value' },
      context,
    ),
    message: anonymizer.leaf('message', message, { ...context, parameterName: textOf(property) }),
  };
}

function anonymizeMetric(anonymizer: Anonymizer, metric: Members): Members {
  if (metric['category'] !== 'time') return metric;
  return { ...metric, name: anonymizer.lowerCaseType(String(metric['name'])) };
}

function anonymizeLog(anonymizer: Anonymizer, log: Members): Members {
  return {
    ...log,
    ...anonymizer.members(log, place),
    message: anonymizer.leaf('text', log['message']),
    source: anonymizeSource(anonymizer, String(log['source'])),
    tags: anonymizer.tags(log['tags']),
  };
}

/** Words that begin with a capital are taken for types, what is in brackets for parameters, other words for titles. */
function anonymizeSource(anonymizer: Anonymizer, source: string): string {
  return source
    .replaceAll(/[A-Z]\w+/g, (word) => String(anonymizer.leaf('type', word)))
    .replaceAll(/\[.*?\]/g, (word) => String(anonymizer.leaf('parameter-name', word)))
    .replaceAll(/[a-z]\w+/g, (word) => String(anonymizer.leaf('title', word)));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
