/** What a search finds. */

import type { Entry } from 'ldapts';

/** Attributes that hold bytes rather than text. */
export const binaryAttributes = ['objectGUID', 'objectSid'] as const;

export class LdapEntry {
  readonly dn: string;
  private readonly attributes: ReadonlyMap<string, readonly (string | Buffer)[]>;

  constructor({ dn, ...attributes }: Entry) {
    this.dn = dn;
    this.attributes = new Map(
      Object.entries(attributes).map(([name, value]) => [
        name.toLowerCase(),
        Array.isArray(value) ? value : [value],
      ]),
    );
  }

  /** @param attribute - in any case */
  values(attribute: string): readonly string[] {
    return (this.attributes.get(attribute.toLowerCase()) ?? []).map(String);
  }

  first(attribute: string): string | undefined {
    return this.values(attribute)[0];
  }

  /** Of one of `binaryAttributes`. */
  bytes(attribute: (typeof binaryAttributes)[number]): Buffer | undefined {
    const value = this.attributes.get(attribute.toLowerCase())?.[0];
    return value === undefined ? undefined : Buffer.from(value as string);
  }
}
