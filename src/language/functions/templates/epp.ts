import type { AttachmentKey } from '../../environment/index.ts';
import { fault, PuppetHash } from '../../pcore/index.ts';
import { templateText } from '../files/decode-text.ts';
import { type CallContext, defineFunction, type EppSource } from '../function.ts';

/** `epp(path, parameters)`: the text of an EPP template of a module (`module/path`, `.epp` may be left out). */
export const epp = defineFunction({
  name: 'epp',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'path' },
        { type: 'Hash[Pattern[/^\\w+$/], Any]', name: 'parameters', arity: 'optional' },
      ],
      call: (context, [path, parameters = null]) => {
        const name = withSuffix(context, String(path));
        context.log('debug', `Retrieving epp template ${name}`);
        const template = readTemplate(context, name);
        return context.evaluateEpp(template, parameters instanceof PuppetHash ? parameters : undefined);
      },
    },
  ],
});

function withSuffix(context: CallContext, path: string): string {
  const isFile = path.startsWith('/') && context.environment.findTemplate(path) !== undefined;
  return isFile || path.endsWith('.epp') ? path : `${path}.epp`;
}

function readTemplate(context: CallContext, name: string): EppSource {
  const { environment } = context;
  const known = environment.attached(sourcesOf).get(name);
  if (known !== undefined) return known;
  const file = environment.findTemplate(name);
  const bytes = file === undefined ? undefined : environment.files.readBytes(file);
  if (file === undefined || bytes === undefined) throw fault(`Could not find template '${name}'`);
  const source = { file, text: templateText(bytes, file), isInline: false };
  // What is named by its path may lie outside of the code and change at any time.
  if (!name.startsWith('/')) environment.attached(sourcesOf).set(name, source);
  return source;
}

/** Templates of modules are read once for each version of an environment. */
const sourcesOf: AttachmentKey<Map<string, EppSource>> = { create: () => new Map() };
