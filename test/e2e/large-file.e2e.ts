/** A file that no server should hold as a whole; `node test/filesync/large-file.ts` brings one of a gibibyte. */

import { expect, inject, test } from 'vitest';
import { faultsOf, largeFileRun } from '../filesync/large-file-run.ts';
import { scenarios } from './support/requirements.ts';

scenarios('A large file', () => {
  test('reaches agents through a compile server without any server holding it', async () => {
    const run = await largeFileRun(inject('program'), inject('project'), 96);

    expect(faultsOf(run, { server: 80, git: 160 })).toEqual([]);
  });
});
