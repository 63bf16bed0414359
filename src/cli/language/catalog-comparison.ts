/** Catalogs as files hold them, and what differs between two of them as people read it. */

import { z } from 'zod';
import {
  type CatalogDifferences,
  canonicalValue,
  type ParameterChange,
  type ReadableCatalog,
} from '../../language/catalog/index.ts';
import { keepNumber } from '../../lib/raw-json.ts';

type Values = Readonly<Record<string, unknown>>;

const CatalogWire = z.object({
  name: z.string(),
  environment: z.string().optional(),
  classes: z.array(z.string()).optional(),
  resources: z.array(
    z.looseObject({
      type: z.string(),
      title: z.string(),
      exported: z.boolean().optional(),
      parameters: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  edges: z.array(z.object({ source: z.string(), target: z.string() })).optional(),
});

/**
 * Reads a catalog from JSON; `1` and `1.0` stay two different values.
 *
 * @throws Error that says what is wrong
 */
export function readCatalog(text: string): ReadableCatalog {
  const wire = CatalogWire.parse(JSON.parse(text, keepNumber));
  const { classes = [], edges = [], environment = '', name } = wire;
  return {
    name,
    environment,
    classes: [...new Set(classes)],
    resources: new Map(
      wire.resources.map(({ type, title, parameters = {}, exported = false, ...origin }) => [
        `${type}[${title}]`,
        { parameters, origin, isExported: exported },
      ]),
    ),
    edges: new Set(edges.map(({ source, target }) => `${source} -> ${target}`)),
  };
}

/** Lines for people; empty when nothing differs. */
export function renderDifferences({ node, classes, resources, edges }: CatalogDifferences): string {
  const lines = [
    ...node.flatMap(renderChange('')),
    ...classes.removed.map((name) => `- class ${name}`),
    ...classes.added.map((name) => `+ class ${name}`),
    ...resources.removed.flatMap(({ reference, parameters }) => renderResource('-', reference, parameters)),
    ...resources.added.flatMap(({ reference, parameters }) => renderResource('+', reference, parameters)),
    ...resources.changed.flatMap(({ reference, changes }) => [
      `  ${reference}`,
      ...changes.flatMap(renderChange('    ')),
    ]),
    ...edges.removed.map((edge) => `- edge ${edge}`),
    ...edges.added.map((edge) => `+ edge ${edge}`),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function renderResource(sign: '+' | '-', reference: string, parameters: Values): readonly string[] {
  const names = Object.keys(parameters).sort();
  return [
    `${sign} ${reference}`,
    ...names.map((name) => `${sign}     ${name} => ${canonicalValue(parameters[name])}`),
  ];
}

function renderChange(indent: string): (change: ParameterChange) => readonly string[] {
  return ({ name, before, after }) => [
    ...(before === undefined ? [] : [`-${indent} ${name} => ${canonicalValue(before)}`]),
    ...(after === undefined ? [] : [`+${indent} ${name} => ${canonicalValue(after)}`]),
  ];
}
