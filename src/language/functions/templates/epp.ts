import { fault, PuppetHash } from '../../pcore/index.ts';
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
      returns: 'Variant[String, Sensitive[String]]',
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
  const file = context.environment.findTemplate(name);
  const text = file === undefined ? undefined : context.environment.files.readText(file);
  if (file === undefined || text === undefined) throw fault(`Could not find template '${name}'`);
  return { file, text, isInline: false };
}
