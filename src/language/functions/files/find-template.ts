import { firstFile } from './first-file.ts';

/** `find_template(*names)`: the path of the first that exists: `module/path` below its `templates`, or an absolute path; else undef. */
export const findTemplate = firstFile('find_template', (environment, reference) =>
  environment.findTemplate(reference),
);
