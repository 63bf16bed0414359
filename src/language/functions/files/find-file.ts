import { firstFile } from './first-file.ts';

/** `find_file(*names)`: the path of the first that exists: `module/path` below its `files`, or an absolute path; else undef. */
export const findFile = firstFile('find_file', (environment, reference) => environment.findFile(reference));
