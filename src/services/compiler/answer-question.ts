/** What people ask of a compile, answered as text. */

import { answerLookup, type CompileRequest, compileCatalog } from '../../language/evaluator/index.ts';
import { programText } from '../../language/pcore/index.ts';
import { answerExplain } from './answer-explain.ts';
import { renderFound } from './found-value.ts';
import type { Answer, Question } from './worker-protocol.ts';

/** @throws PuppetError when the code does not compile, or a value is not of the type that it should be */
export function answerQuestion(request: CompileRequest, question: Question): Omit<Answer, 'logs'> {
  if (question.kind === 'last-value') {
    const { lastValue } = compileCatalog(request);
    return { text: programText(lastValue, 0), failure: undefined };
  }
  if (question.kind === 'explain')
    return { text: undefined, failure: undefined, explained: answerExplain(request, question.explain) };
  const { explanation, failure, value } = answerLookup(request, question.lookup);
  if (question.lookup.explain !== undefined) return { text: explanation.trimEnd(), failure: undefined };
  return { text: value === undefined ? undefined : renderFound(value, question.renderAs), failure };
}
