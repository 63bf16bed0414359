import { expect, test } from 'vitest';
import { deepMerge } from './deep-merge.ts';

const options = {
  knockoutPrefix: undefined,
  sortMergedArrays: true,
  mergeHashArrays: false,
  overwriteArrays: false,
  extendExistingArrays: false,
};

test('merged lists are sorted as Ruby sorts texts: by their code points', () => {
  expect(deepMerge(['\u{1f600}', 'b'], ['\uffee', 'a'], options)).toEqual(['a', 'b', '\uffee', '\u{1f600}']);
});
