/** The thread in which a Puppetfile is parsed and run: the main thread has agents to serve. */

import { prismFiles, RubyParser } from '../../../lib/ruby-syntax/index.ts';
import { answerOnce } from '../../../platform/threads/index.ts';
import { evaluatePuppetfile } from './evaluate-puppetfile.ts';
import { NotUnderstood, PuppetfileError } from './puppetfile-error.ts';
import { askBuiltInRuby } from './real-ruby.ts';
import type { PuppetfileAnswer, PuppetfileQuestion } from './worker-protocol.ts';

answerOnce(answer);

function answer({ environment, rubyPath, text }: PuppetfileQuestion): PuppetfileAnswer {
  try {
    const content =
      rubyPath === undefined
        ? evaluatePuppetfile(new RubyParser(prismFiles()).parse(text), text, environment)
        : askBuiltInRuby(rubyPath, environment);
    return { kind: 'content', content };
  } catch (error) {
    if (error instanceof NotUnderstood)
      return { kind: 'not-understood', message: error.message, offset: error.offset };
    if (error instanceof PuppetfileError)
      return { kind: 'mistake', message: error.message, offset: error.offset };
    // Nested more deeply than there is room for.
    if (error instanceof RangeError) return { kind: 'mistake', message: error.message, offset: undefined };
    throw error;
  }
}
