/** Variables of top scope that no code may set. */
export const RESERVED: ReadonlySet<string> = new Set(['trusted', 'facts', 'server_facts']);
