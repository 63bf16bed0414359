import type { Value } from '../../pcore/index.ts';
import { byElement } from './by-element.ts';
import { elementsOf } from './elements.ts';
import { isTrue } from './truth.ts';

/** `partition(collection) |$element| {}`: the elements for which the lambda is true, and the others. */
export const partition = byElement('partition', 'Tuple[Array, Array]', divide);

function divide(collection: Value, decide: (item: Value, index: number) => Value): Value {
  const wanted: Value[] = [];
  const others: Value[] = [];
  let index = 0;
  for (const item of elementsOf(collection)) (isTrue(decide(item, index++)) ? wanted : others).push(item);
  return [wanted, others];
}
