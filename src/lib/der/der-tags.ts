/** Identifier octets of the DER types that certificates use. */

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  visibleString: 0x1a,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Identifier octet of a primitive context-specific element, `[n] IMPLICIT` of a simple type. */
export function contextTag(number: number): number {
  return 0x80 | number;
}

/** Identifier octet of a constructed context-specific element, `[n] EXPLICIT` or of a structure. */
export function constructedContextTag(number: number): number {
  return 0xa0 | number;
}
