import { fault, plainText } from '../../pcore/index.ts';
import { defineLegacyFunction, referenceText } from '../legacy-function.ts';

/** `fail(*messages)`: ends the compile with the messages, joined with spaces. */
export const fail = defineLegacyFunction({
  name: 'fail',
  arity: -1,
  isStatement: true,
  call: (_context, messages) => {
    throw fault(messages.map((message) => plainText(referenceText(message))).join(' '), 'runtime_error');
  },
});
