import { expect, test } from 'vitest';
import { PuppetError } from '../syntax/index.ts';
import { MemoryFileTree } from './memory-file-tree.ts';
import { readableFileTree } from './readable-file-tree.ts';

function failing(error: Error) {
  const tree = new MemoryFileTree({});
  const fail = (): never => {
    throw error;
  };
  return readableFileTree(Object.assign(tree, { readBytes: fail, readText: fail, list: fail, kind: fail }));
}

test('what may not be read is told in Ruby’s words, with the path that users know', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, open /versions/1/site.pp'), {
    code: 'EACCES',
    syscall: 'open',
  });
  const files = failing(denied);

  expect(() => files.readBytes('/code/site.pp')).toThrow(PuppetError);
  expect(() => files.readBytes('/code/site.pp')).toThrow(
    /^Permission denied @ rb_sysopen - \/code\/site\.pp$/,
  );
  expect(() => files.list('/code')).toThrow(/^Permission denied @ dir_initialize - \/code$/);
});

test('errors of the program itself stay as they are', () => {
  const bug = new TypeError('x is not a function');

  expect(() => failing(bug).readText('/code/site.pp')).toThrow(bug);
});
