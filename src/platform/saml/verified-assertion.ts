/** What an assertion with a valid signature has to say besides, and what it says of a person (SAML profiles, 4.1.4.3). */

import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { SamlError } from './saml-error.ts';

export interface SamlIdentity {
  readonly issuer: string;
  readonly nameId: string | undefined;
  readonly sessionIndex: string | undefined;
  /** By `Name`, and by `FriendlyName` where no other has it as its name. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

export interface WantedAssertion {
  readonly issuer: string;
  readonly recipient: string;
  readonly audience: string;
  readonly requestId: string;
  readonly now: Date;
  readonly toleranceMs: number;
  readonly allowsDuplicateAttributes: boolean;
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';

/** As the library reads XML: text at `_`, attributes at `$`, every element a list. */
const Text = z.looseObject({ _: z.string().optional() });
const Confirmation = z.looseObject({
  $: z.looseObject({ Method: z.string() }),
  SubjectConfirmationData: z
    .array(
      z.looseObject({
        $: z
          .looseObject({
            Recipient: z.string().optional(),
            InResponseTo: z.string().optional(),
            NotOnOrAfter: z.string().optional(),
            NotBefore: z.string().optional(),
          })
          .default({}),
      }),
    )
    .default([]),
});
const Statement = z.looseObject({
  Attribute: z
    .array(
      z.looseObject({
        $: z.looseObject({ Name: z.string(), FriendlyName: z.string().optional() }),
        AttributeValue: z.array(z.union([Text, z.string()])).default([]),
      }),
    )
    .default([]),
});
const Assertion = z.looseObject({
  Assertion: z.looseObject({
    Issuer: z.tuple([Text]),
    Subject: z.tuple([
      z.looseObject({
        NameID: z.array(Text).default([]),
        SubjectConfirmation: z.array(Confirmation).default([]),
      }),
    ]),
    Conditions: z.tuple([
      z.looseObject({
        $: z.looseObject({ NotOnOrAfter: z.string().optional() }).default({}),
        AudienceRestriction: z.array(z.looseObject({ Audience: z.array(Text) })).min(1),
      }),
    ]),
    AuthnStatement: z
      .array(z.looseObject({ $: z.looseObject({ SessionIndex: z.string().optional() }).default({}) }))
      .min(1),
    // An empty one is read as a text.
    AttributeStatement: z.array(z.union([Statement, z.string()])).default([]),
  }),
});

type Read = z.infer<typeof Assertion>['Assertion'];

/** @throws SamlError */
export function verifiedAssertion(assertion: unknown, wanted: WantedAssertion): SamlIdentity {
  const parsed = checkShape(Assertion, assertion);
  if (!parsed.success)
    throw new SamlError(`The assertion is not of the expected form: ${z.prettifyError(parsed.error)}`);
  const read = parsed.data.Assertion;
  const issuer = textOf(read.Issuer[0]);
  if (issuer !== wanted.issuer) throw new SamlError(`The assertion is of ${issuer}, not of ${wanted.issuer}`);
  const [{ AudienceRestriction: restrictions }] = read.Conditions;
  if (!restrictions.every(({ Audience }) => Audience.some((each) => textOf(each) === wanted.audience)))
    throw new SamlError(`The assertion is not for ${wanted.audience}`);
  const [{ NameID: names, SubjectConfirmation: confirmations }] = read.Subject;
  const reasons = confirmations.map((each) => whyNot(each, wanted));
  if (!reasons.includes(undefined))
    throw new SamlError(
      `Nothing confirms the subject of the assertion: ${reasons.join('; ') || 'nothing tries'}`,
    );
  return {
    issuer,
    nameId: names[0] && textOf(names[0]),
    sessionIndex: read.AuthnStatement[0]?.$.SessionIndex,
    attributes: attributesOf(read, wanted),
  };
}

/** @returns `undefined` for a confirmation that counts */
function whyNot(
  { $: { Method: method }, SubjectConfirmationData: [data] }: z.infer<typeof Confirmation>,
  { now, recipient, requestId, toleranceMs }: WantedAssertion,
): string | undefined {
  if (method !== bearer) return `the method ${method} is not known`;
  const { InResponseTo, NotBefore, NotOnOrAfter, Recipient } = data?.$ ?? {};
  if (Recipient !== recipient) return `the recipient is ${Recipient}, not ${recipient}`;
  if (InResponseTo !== requestId) return 'it answers another request, or none';
  if (NotBefore !== undefined) return 'it has a beginning';
  const end = Date.parse(NotOnOrAfter ?? '');
  if (!(end + toleranceMs > now.getTime())) return `it ended at ${NotOnOrAfter}`;
  return undefined;
}

function attributesOf(
  { AttributeStatement: statements }: Read,
  { allowsDuplicateAttributes }: WantedAssertion,
): ReadonlyMap<string, readonly string[]> {
  const attributes = statements.flatMap((each) => (typeof each === 'string' ? [] : each.Attribute));
  const byName = new Map<string, readonly string[]>();
  for (const { $: about, AttributeValue: values } of attributes) {
    if (byName.has(about.Name) && !allowsDuplicateAttributes)
      throw new SamlError(`The assertion has the attribute ${about.Name} twice`);
    const texts = values.map((value) => (typeof value === 'string' ? value : textOf(value)));
    byName.set(about.Name, [...(byName.get(about.Name) ?? []), ...texts]);
  }
  const byFriendlyName = attributes.flatMap(({ $: { FriendlyName: friendly, Name } }) =>
    friendly === undefined ? [] : [[friendly, byName.get(Name) ?? []] as const],
  );
  return new Map([...byFriendlyName, ...byName]);
}

function textOf({ _: text }: z.infer<typeof Text>): string {
  return text?.trim() ?? '';
}
