/** Messages that are refused before they are parsed. */

import sax from 'sax';
import { SamlError } from './saml-error.ts';

export interface MessagePolicy {
  readonly allowsSha1: boolean;
  readonly wantsEncryption: boolean;
}

const sha1 = ['http://www.w3.org/2000/09/xmldsig#rsa-sha1', 'http://www.w3.org/2000/09/xmldsig#dsa-sha1'];
/** Its padding tells those who ask often enough what is inside. */
const oldEncryption = 'http://www.w3.org/2001/04/xmlenc#rsa-1_5';

/** Several for each group of a person. What the library does grows with their square. */
const mostTags = 5000;

/** The library reads all of these. @throws SamlError */
export function checkMessage(xml: string, { allowsSha1, wantsEncryption }: MessagePolicy): void {
  // No message of SAML has one, and entities are defined nowhere else.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new SamlError('The message has a document type');
  const tags = xml.split('<').length - 1;
  if (tags > mostTags) throw new SamlError(`The message has ${tags} tags, more than ${mostTags}`);
  checkForm(xml);
  for (const algorithm of [...(allowsSha1 ? [] : sha1), oldEncryption])
    if (xml.includes(algorithm)) throw new SamlError(`The message uses ${algorithm}, which is not safe`);
  if (wantsEncryption && /<(?:[\w.-]+:)?Assertion[\s>]/.test(xml))
    throw new SamlError('The assertion is not encrypted');
}

/** The library repairs what is no XML, in a time that grows with the square of the message. @throws SamlError */
function checkForm(xml: string): void {
  const parser = sax.parser(true);
  parser.onerror = ({ message }) => {
    throw new SamlError(`The message is no XML: ${message.replaceAll('\n', ', ')}`);
  };
  parser.write(xml).close();
}
