/** A line for each message that arrives, in the order of pcp-broker's access log. */

export type Outcome =
  | 'AUTHORIZATION_SUCCESS'
  | 'AUTHORIZATION_FAILURE'
  | 'AUTHENTICATION_FAILURE'
  | 'DESERIALIZATION_ERROR'
  | 'MULTICAST_UNSUPPORTED';

export interface Access {
  readonly outcome: Outcome;
  readonly address: string;
  readonly commonName: string;
  /** These four are missing for what could not be decoded. */
  readonly sender?: string | undefined;
  readonly messageType?: string;
  readonly id?: string;
  readonly targets?: readonly string[];
}

/** @returns the line with its end; what a client wrote cannot end it */
export function renderAccess(access: Access, at: Date): string {
  const { address, commonName, id, messageType, outcome, sender, targets = [] } = access;
  const words = [outcome, address, commonName, sender, messageType, id, targets.join(',')];
  return `[${at.toISOString()}] ${words.map(word).join(' ')}\n`;
}

function word(text: string | undefined): string {
  return text === undefined || text === '' ? '-' : text.replace(/[\s\p{Cc}]/gu, '_');
}
