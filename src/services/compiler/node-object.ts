/** A node as `GET /puppet/v3/node` shows it. */

import { keepNumber } from '../../lib/raw-json.ts';
import type { Node, NodeFacts } from './termini.ts';

/** Values that `JSON.stringify` writes with the text that they had, numbers included. */
type RawObject = Readonly<Record<string, unknown>>;

/**
 * JSON: `{"name", "environment", "classes", "parameters"}`, without what is empty.
 *
 * @param node - parameters of the classifier come before facts of the same name
 */
export function renderNode(
  certname: string,
  environment: string,
  node: Node,
  facts: NodeFacts | undefined,
): string {
  const { classes, parameters } = rawNode(node);
  const values = factsOf(facts);
  const merged = { ...parameters, ...values, ...parameters };
  const names = Object.keys(classes);
  return JSON.stringify({
    name: certname,
    environment,
    ...(names.length === 0 ? {} : { classes: node.listsClasses === true ? names : classes }),
    ...(Object.keys(merged).length === 0 ? {} : { parameters: merged }),
  });
}

function rawNode(node: Node): { readonly classes: RawObject; readonly parameters: RawObject } {
  if (node.exact === undefined) return node;
  return parseRaw(node.exact) as { readonly classes: RawObject; readonly parameters: RawObject };
}

/** Facts never decide on the environment; what is `null` in them is an empty string. */
function factsOf(facts: NodeFacts | undefined): RawObject {
  if (facts === undefined) return {};
  const { environment: _own, ...values } = parseRaw(facts.exactValues ?? JSON.stringify(facts.values), '');
  return values;
}

/** @param nothing - stands in for `null` */
function parseRaw(text: string, nothing: unknown = null): RawObject {
  return JSON.parse(text, (key, value: unknown, context?: { readonly source?: string }) =>
    value === null ? nothing : keepNumber(key, value, context),
  );
}
