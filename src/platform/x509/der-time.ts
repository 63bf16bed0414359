/** Times in certificates: UTCTime up to 2049, GeneralizedTime after (RFC 5280, 4.1.2.5). */

import { type DerValue, derElement, derTags } from '../../lib/der/index.ts';
import { X509Error } from './x509-error.ts';

/** Fractions of a second are dropped: the format has none. */
export function derTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]/g, '').slice(0, 14);
  const year = date.getUTCFullYear();
  if (year >= 1950 && year < 2050) {
    return derElement(derTags.utcTime, Buffer.from(`${digits.slice(2)}Z`, 'latin1'));
  }
  return derElement(derTags.generalizedTime, Buffer.from(`${digits}Z`, 'latin1'));
}

/** @throws X509Error when the element is not a time in the form that RFC 5280 allows */
export function decodeTime(value: DerValue): Date {
  const text = value.content.length < 32 ? value.content.toString('latin1') : '';
  const full = value.tag === derTags.utcTime ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  const isTime = value.tag === derTags.utcTime || value.tag === derTags.generalizedTime;
  const match = isTime ? /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full) : null;
  if (!match) throw new X509Error('DER: not a time');
  const [, year, month, day, hour, minute, second] = match;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(date.getTime())) throw new X509Error(`DER: there is no such time as ${text}`);
  return date;
}
