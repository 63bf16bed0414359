import { fault } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { rubyText } from '../ruby/text.ts';

/** `template(*paths)`: the texts of ERB templates (`module/path` below its `templates`, or absolute paths), one after the other. */
export const template = defineLegacyFunction({
  name: 'template',
  arity: -2,
  call: (context, paths) =>
    paths
      .map((path) => {
        const name = rubyText(path);
        context.log('debug', `Retrieving template ${name}`);
        const file = context.environment.findTemplate(name);
        const text = file === undefined ? undefined : context.environment.files.readText(file);
        if (file === undefined || text === undefined) throw fault(`Could not find template '${name}'`);
        return context.evaluateErb({ file, text, name });
      })
      .join(''),
});
