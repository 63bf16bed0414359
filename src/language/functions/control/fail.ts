import { fault } from '../../pcore/index.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';
import { rubyText } from '../ruby/text.ts';

/** `fail(*messages)`: ends the compile with the messages, joined with spaces. */
export const fail = defineLegacyFunction({
  name: 'fail',
  arity: -1,
  isStatement: true,
  call: (_context, messages) => {
    throw fault(messages.map((message) => rubyText(referenceText(message))).join(' '), 'runtime_error');
  },
});
