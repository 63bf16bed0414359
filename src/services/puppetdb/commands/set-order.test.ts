import { expect, test } from 'vitest';
import { setOrder } from './set-order.ts';

/** What Clojure 1.11 prints of `(seq (set [...]))`. */
test.each([
  ['', 'settings', 'class', 'main', 'default', 'node', 'stage'],
  'y3 y1 é y6 x1 x6 class x9 x3 x7 y7 x8 a::b x4 x2 y2 x5 y5 y4'.split(' '),
])('texts are in the order of a set of Clojure: %s, %s, %s, ...', (...inOrder) => {
  expect(inOrder.toSorted().toSorted(setOrder())).toEqual(inOrder);
});
