/**
 * Sorts with the comparisons, in the order, that Ruby makes on Linux (glibc's `qsort_r`, a merge sort): a block
 * sees the same calls, and of several pairs that cannot be compared the same one is reported. Stable.
 *
 * @param compare - negative, 0 or positive; may throw
 */
export function mergeSort<T>(items: readonly T[], compare: (left: T, right: T) => number): T[] {
  if (items.length <= 1) return [...items];
  const middle = Math.floor(items.length / 2);
  const left = mergeSort(items.slice(0, middle), compare);
  const right = mergeSort(items.slice(middle), compare);
  const merged: T[] = [];
  let leftIndex = 0;
  let rightIndex = 0;
  while (leftIndex < left.length && rightIndex < right.length) {
    const first = left[leftIndex] as T;
    const second = right[rightIndex] as T;
    if (compare(first, second) <= 0) {
      merged.push(first);
      leftIndex += 1;
    } else {
      merged.push(second);
      rightIndex += 1;
    }
  }
  return merged.concat(left.slice(leftIndex), right.slice(rightIndex));
}
