/** Conditions on nodes in the AST of PuppetDB, and their text in PQL. */

import type { NodeStatus } from '../wire.ts';

export type Condition = readonly [operator: string, ...operands: readonly unknown[]];

/** As `statusOf` decides. @param cutoff - a node whose last report is older is unresponsive; ISO 8601 */
export function hasStatus(status: NodeStatus, cutoff: string): Condition {
  if (status === 'unreported') return ['null?', 'report_timestamp', true];
  if (status === 'unresponsive') return ['<', 'report_timestamp', cutoff];
  const outcome = status.replace('noop-', '');
  const isNoop = status !== outcome;
  const isPending = isTrue('latest_report_noop_pending');
  const failed: Condition = ['=', 'latest_report_status', 'failed'];
  const changed: Condition = isNoop ? isPending : ['=', 'latest_report_status', 'changed'];
  const outcomes: Readonly<Record<string, readonly Condition[]>> = {
    failed: [failed],
    corrective: [isNot('failed'), changed, isTrue('latest_report_corrective_change')],
    intentional: [isNot('failed'), changed, isNotTrue('latest_report_corrective_change')],
    unchanged: [isNot('failed'), isNoop ? isNotTrue('latest_report_noop_pending') : isNot('changed')],
  };
  return [
    'and',
    ['>=', 'report_timestamp', cutoff],
    isNoop ? isTrue('latest_report_noop') : isNotTrue('latest_report_noop'),
    ...(outcomes[outcome] ?? []),
  ];
}

/** Nodes that another entity has rows of. */
export function among(entity: string, condition: Condition): Condition {
  return ['in', 'certname', ['from', entity, ['extract', ['certname'], condition]]];
}

/** All other nodes: also those of which a field has no value, for which neither a condition nor its opposite holds. */
export function otherThan(condition: Condition): Condition {
  return ['not', among('nodes', condition)];
}

/** Every report has a status. */
function isNot(reportStatus: string): Condition {
  return ['not', ['=', 'latest_report_status', reportStatus]];
}

function isTrue(field: string): Condition {
  return ['=', field, true];
}

/** Old agents say nothing of it. */
function isNotTrue(field: string): Condition {
  return ['or', ['=', field, false], ['null?', field, true]];
}

/** @returns `nodes[certname] { ... }` */
export function pqlOf(condition: Condition | undefined): string {
  return condition === undefined ? 'nodes[certname] {}' : `nodes[certname] { ${text(condition)} }`;
}

function text([operator, ...operands]: Condition): string {
  const [first, second] = operands;
  switch (operator) {
    case 'and':
    case 'or':
      return operands.map((each) => grouped(each as Condition)).join(` ${operator} `);
    case 'not':
      return `! ${grouped(first as Condition)}`;
    case 'null?':
      return `${String(first)} ${second === true ? 'is null' : 'is not null'}`;
    case 'in': {
      const [, entity, [, , inner]] = second as readonly [
        string,
        string,
        readonly [string, unknown, Condition],
      ];
      return `${String(first)} in ${entity}[certname] { ${text(inner)} }`;
    }
    default:
      return `${String(first)} ${operator} ${JSON.stringify(second)}`;
  }
}

function grouped(condition: Condition): string {
  return ['and', 'or', 'not'].includes(condition[0]) ? `(${text(condition)})` : text(condition);
}
