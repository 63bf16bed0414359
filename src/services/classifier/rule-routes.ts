/** Which nodes the rules of groups match: as queries of PuppetDB, by name, and counted. */

import { ServiceError } from '../../lib/service-error.ts';
import { type Access, json, type Route, route } from '../../platform/http/index.ts';
import { type GroupRules, GroupRulesWire, type TranslatedRule, TranslatedRuleWire } from './answers/wire.ts';
import type { Classifier } from './classifier.ts';
import type { Condition } from './condition.ts';
import { decodeRule, RuleWire } from './group-wire.ts';
import type { KnownNodes } from './known-nodes.ts';
import { idOf } from './parameters.ts';
import { prefix } from './paths.ts';
import { type Query, type QueryFormat, translateRule } from './rule-translation.ts';

/** @see PE, "Rules endpoint" */
export function ruleRoutes(classifier: Classifier, allow: Access, nodes: KnownNodes): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: `${prefix}/rules/translate`,
      allow,
      shapes: { body: RuleWire, answer: TranslatedRuleWire },
      async handle({ body, query }) {
        const format = formatIn(query);
        const translated = translateRule(decodeRule(await body()), format);
        return json({ query: translated } satisfies TranslatedRule);
      },
    }),
    route({
      method: 'GET',
      path: `${prefix}/groups/:id/rules`,
      allow,
      shapes: { answer: GroupRulesWire },
      handle({ params }) {
        const group = classifier.get(idOf(params));
        const whole = classifier.hierarchy.fullRule(group);
        return json({
          rule: group.rule ?? null,
          rule_with_inherited: whole ?? null,
          translated: {
            nodes_query_format: translatedOrNull(whole, 'nodes'),
            inventory_query_format: translatedOrNull(whole, 'inventory'),
          },
        } satisfies GroupRules);
      },
    }),
    route({
      method: 'GET',
      path: `${prefix}/groups/:id/nodes`,
      allow,
      async handle({ params, signal }) {
        const rule = classifier.hierarchy.fullRule(classifier.get(idOf(params)));
        if (rule === undefined) return json([]);
        const names = await nodes.names(signal, translateRule(rule, 'inventory'));
        return json(names.toSorted().map((certname) => ({ certname })));
      },
    }),
  ];
}

/** @throws ServiceError `bad-request` */
function formatIn(query: URLSearchParams): QueryFormat {
  const format = query.get('format') ?? 'nodes';
  if (format === 'nodes' || format === 'inventory') return format;
  throw new ServiceError('bad-request', `The format is neither "nodes" nor "inventory": ${format}`, {
    kind: 'unknown-format',
  });
}

function translatedOrNull(rule: Condition | undefined, format: QueryFormat): Query | null {
  if (rule === undefined) return null;
  try {
    return translateRule(rule, format);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'untranslatable-rule') return null;
    throw error;
  }
}
