/** The version of the protocol between servers of an installation: check-ins, deliveries, code, classification. */

import { ServiceError } from '../../lib/service-error.ts';

/**
 * Raised with each change that a server of the number before would misunderstand. Servers that name none are from before there
 * was a number, which counts as 1.
 */
export const protocol = 2;

/** With every request of a server to its primary. */
export const protocolHeader = 'x-bunraku-protocol';

/** @param header - as it arrived */
export function protocolIn(header: string | readonly string[] | undefined): number {
  const number = Number(header ?? 1);
  return Number.isSafeInteger(number) && number > 0 ? number : 1;
}

/** Whether two servers understand each other: servers are updated one after the other, so one older and one newer do. */
export function isUnderstood(theirs: number, ours: number = protocol): boolean {
  return Math.abs(theirs - ours) <= 1;
}

/** @param other - the server that is too old or too new, as people know it */
export function misunderstanding(other: string, theirs: number): string {
  const remedy = theirs < protocol ? `update ${other} first` : 'update this server first';
  return `${other} speaks protocol ${theirs}, and this server ${protocol - 1} to ${protocol + 1}: ${remedy}`;
}

/** @throws ServiceError `conflict` for a server that is too old or too new to be served */
export function refuseOthers(certname: string, header: string | readonly string[] | undefined): void {
  const theirs = protocolIn(header);
  if (isUnderstood(theirs)) return;
  throw new ServiceError('conflict', misunderstanding(certname, theirs), { kind: protocolKind });
}

export const protocolKind = 'infrastructure/protocol';
