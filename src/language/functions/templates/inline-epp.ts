import { PuppetHash } from '../../pcore/index.ts';
import { defineFunction } from '../function.ts';

/** `inline_epp(template, parameters)`: the text of an EPP template given as a string; it sees the variables around it. */
export const inlineEpp = defineFunction({
  name: 'inline_epp',
  dispatches: [
    {
      parameters: [
        { type: 'String', name: 'template' },
        { type: 'Hash[Pattern[/^\\w+$/], Any]', name: 'parameters', arity: 'optional' },
      ],
      call: (context, [template, parameters = null]) =>
        context.evaluateEpp(
          { file: 'inlined-epp-text', text: String(template), isInline: true },
          parameters instanceof PuppetHash ? parameters : undefined,
        ),
    },
  ],
});
