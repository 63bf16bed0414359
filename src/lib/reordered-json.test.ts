import { expect, test } from 'vitest';
import { type Reordering, reorderedJson } from './reordered-json.ts';

const backwards: Reordering = { order: (keys) => keys.sort().reverse(), leastKeys: 3 };

test('small hashes stay as they came, wherever they are', () => {
  const json = '{ "b": [1, {"a": 1, "b": 2}], "a": "{}" }';

  expect(reorderedJson(json, backwards)).toBe(json);
});

test('large hashes are put in order within small ones, lists and each other', () => {
  expect(reorderedJson('{"b":[0,{"x":1,"z":3,"y":2},"z"],"a":{"k":{"m":1}}}', backwards)).toBe(
    '{"b":[0,{"z":3,"y":2,"x":1},"z"],"a":{"k":{"m":1}}}',
  );
  expect(reorderedJson('[{"a":{"1":1,"2":2,"3":3},"b":[],"c":{}}]', backwards)).toBe(
    '[{"c":{},"b":[],"a":{"3":3,"2":2,"1":1}}]',
  );
});

test('space between the parts is no part of them', () => {
  expect(reorderedJson('[ {"a" : 1 , "b":\n[ 2, 3 ] ,"c": "x y" } ]', backwards)).toBe(
    '[ {"c":"x y","b":[ 2, 3 ],"a":1} ]',
  );
});

test('a key is found under what its escapes mean', () => {
  expect(reorderedJson('{"\\u0061":1,"b":2,"\\"":3}', backwards)).toBe('{"b":2,"\\u0061":1,"\\"":3}');
});
