import type { Expression } from '../../syntax/index.ts';
import { rubyFloat } from '../values/float-text.ts';
import { puppetQuote } from '../values/quote.ts';
import { RegexpValue } from '../values/regexp-value.ts';

/** A type expression as text, for messages; its source is not at hand where it is read. */
export function renderExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'AccessExpression':
      return `${renderExpression(expression.left)}[${expression.keys.map(renderExpression).join(', ')}]`;
    case 'LiteralList':
      return `[${expression.values.map(renderExpression).join(', ')}]`;
    case 'LiteralHash': {
      const entries = expression.entries.map(
        (entry) => `${renderExpression(entry.key)} => ${renderExpression(entry.value)}`,
      );
      return `{${entries.join(', ')}}`;
    }
    case 'LiteralString':
      return puppetQuote(expression.value);
    case 'LiteralFloat':
      return rubyFloat(expression.value);
    case 'LiteralInteger':
    case 'LiteralBoolean':
    case 'QualifiedName':
    case 'QualifiedReference':
      return String(expression.value);
    case 'LiteralUndef':
      return 'undef';
    case 'LiteralDefault':
      return 'default';
    case 'LiteralRegularExpression':
      return new RegexpValue(expression.source).toLiteral();
    case 'UnaryMinusExpression':
      return `-${renderExpression(expression.expr)}`;
    case 'ParenthesizedExpression':
      return `(${renderExpression(expression.expr)})`;
    case 'CallNamedFunctionExpression':
      return `${renderExpression(expression.functorExpr)}${argumentsText(expression.args)}`;
    case 'CallMethodExpression':
      return `${renderExpression(expression.functorExpr)}${argumentsText(expression.args)}`;
    case 'NamedAccessExpression':
      return `${renderExpression(expression.left)}.${renderExpression(expression.right)}`;
    case 'VariableExpression':
      return `$${renderExpression(expression.expr)}`;
    default:
      return expression.kind;
  }
}

function argumentsText(args: readonly Expression[]): string {
  return `(${args.map(renderExpression).join(', ')})`;
}
