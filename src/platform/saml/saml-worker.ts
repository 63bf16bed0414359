/** The thread that reads answers of SAML providers. */

import { serveRequests } from '../threads/index.ts';
import { readResponse, type SamlQuestion } from './response-reader.ts';
import { SamlError } from './saml-error.ts';
import type { SamlReply } from './saml-thread.ts';

// The parser prints what it finds odd, which is what the sender of the message wrote.
console.warn = () => undefined;
console.error = () => undefined;

serveRequests<SamlQuestion>({
  take: (incoming) => void incoming.answer(reply(incoming.request)),
});

async function reply(question: SamlQuestion): Promise<SamlReply> {
  try {
    return { identity: await readResponse(question) };
  } catch (error) {
    if (error instanceof SamlError) return { refusal: error.message };
    throw error;
  }
}
