import type { AttachmentKey } from '../../environment/index.ts';
import { fault, plainText } from '../../pcore/index.ts';
import { templateText } from '../files/decode-text.ts';
import type { CallContext, ErbSource } from '../function.ts';
import { defineLegacyFunction } from '../legacy-function.ts';

/** `template(*paths)`: the texts of ERB templates (`module/path` below its `templates`, or absolute paths), one after the other. */
export const template = defineLegacyFunction({
  name: 'template',
  arity: -2,
  call: (context, paths) =>
    paths
      .map((path) => {
        const name = plainText(path);
        context.log('debug', `Retrieving template ${name}`);
        return context.evaluateErb(readTemplate(context, name));
      })
      .join(''),
});

function readTemplate({ environment }: CallContext, name: string): ErbSource {
  const known = environment.attached(sourcesOf).get(name);
  if (known !== undefined) return known;
  const file = environment.findTemplate(name);
  const bytes = file === undefined ? undefined : environment.files.readBytes(file);
  if (file === undefined || bytes === undefined) throw fault(`Could not find template '${name}'`);
  const source = { file, text: templateText(bytes, file), name };
  // What is named by its path may lie outside of the code and change at any time.
  if (!name.startsWith('/')) environment.attached(sourcesOf).set(name, source);
  return source;
}

/** Templates of modules are read once for each version of an environment. */
const sourcesOf: AttachmentKey<Map<string, ErbSource>> = { create: () => new Map() };
