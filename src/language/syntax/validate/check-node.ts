/** Node definitions: names, and what they can't do any more. */

import type { Expression, NodeDefinition } from '../ast.ts';
import { label } from '../label.ts';
import { checkEnd, checkTop } from './check-definition.ts';
import type { ValidationContext } from './validation-context.ts';

export function checkNode(node: NodeDefinition, context: ValidationContext): void {
  for (const host of node.hostMatches) checkHost(host, node, context);
  checkTop(node, context);
  checkEnd(node.body, node, context);
  if (node.parent !== undefined) context.report('illegal_node_inheritance', node.parent, {});
}

function checkHost(host: Expression, node: NodeDefinition, context: ValidationContext): void {
  switch (host.kind) {
    case 'LiteralString':
      if (/[^-\w.]/.test(host.value)) {
        context.report('illegal_hostname_chars', host, { hostname: host.value });
      }
      return;
    case 'ConcatenatedString': {
      const text = host.segments.find((segment) => segment.kind === 'TextExpression');
      context.report(
        'illegal_hostname_interpolation',
        text?.kind === 'TextExpression' ? text.expr : host,
        {},
      );
      return;
    }
    case 'LiteralDefault':
    case 'LiteralRegularExpression':
      return;
    default:
      context.report('illegal_expression', host, {
        label: label(host),
        feature: 'hostname',
        container: label(node),
      });
  }
}
