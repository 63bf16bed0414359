/** The expressions that only templates have. */

import {
  ByteString,
  joinTexts,
  SensitiveValue,
  stringify,
  textWithBytes,
  type Value,
} from '../../pcore/index.ts';
import type { RenderExpression, RenderStringExpression } from '../../syntax/index.ts';
import type { Frame } from '../runtime/frame.ts';
import type { Evaluate, Lower, LowerContext } from './lower-context.ts';

export function lowerRenderString(node: RenderStringExpression): Evaluate {
  return (frame) => {
    outputOf(frame).push(node.value);
    return null;
  };
}

export function lowerRender(node: RenderExpression, context: LowerContext, lower: Lower): Evaluate {
  const evaluate = lower(node.expr, context);
  return (frame) => {
    const value = evaluate(frame);
    outputOf(frame).push(value instanceof SensitiveValue ? value : textWithBytes(value));
    return null;
  };
}

/** Where the nearest template around gathers its text. */
function outputOf(frame: Frame): Value[] {
  for (let holder: Frame | undefined = frame; holder !== undefined; holder = holder.outer) {
    if (holder.output !== undefined) return holder.output;
  }
  return [];
}

/** The text of a template; `Sensitive` when any part of it was. */
export function renderedText(output: readonly Value[]): Value {
  let isSensitive = false;
  let text: string | ByteString = '';
  for (const part of output) {
    if (part instanceof SensitiveValue) isSensitive = true;
    const plain = part instanceof SensitiveValue ? part.unwrap() : part;
    if (plain instanceof ByteString) text = text === '' ? plain : joinTexts(text, plain);
    else if (typeof text === 'string') text += stringify(plain);
    else text = joinTexts(text, stringify(plain));
  }
  return isSensitive ? new SensitiveValue(text) : text;
}
