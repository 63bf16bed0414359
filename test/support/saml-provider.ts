/** A SAML identity provider that signs and encrypts any answer that a test needs. */

import { createVerify, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import xmlEncryption from 'xml-encryption';
import {
  commonNameOnly,
  createKeyPair,
  encodeCertificate,
  encodePublicKeyInfo,
  keySigner,
  signCertificate,
} from '../../src/platform/x509/index.ts';

export interface SamlAnswer {
  readonly inResponseTo?: string | undefined;
  /** What the assertion itself answers, where that is another request, or none. */
  readonly confirms?: string | undefined;
  readonly issuer?: string;
  readonly audience?: string | undefined;
  readonly recipient?: string;
  readonly method?: string;
  /** In minutes from now. */
  readonly from?: number;
  readonly to?: number;
  readonly nameId?: string;
  readonly sessionIndex?: string;
  readonly attributes?: readonly (readonly [name: string, values: readonly string[]])[];
  readonly signs?: readonly ('response' | 'assertion')[];
  /** Changes the assertion after it was signed, before it is encrypted. */
  readonly changesAssertion?: (xml: string) => string;
  readonly encrypts?: boolean;
  readonly keyEncryption?: 'rsa-oaep-mgf1p' | 'rsa-1_5';
  readonly algorithm?: 'sha1' | 'sha256';
}

export interface SamlReceiver {
  readonly entityId: string;
  readonly acsUrl: string;
  /** In PEM. */
  readonly certificate: string;
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const encrypt = promisify(xmlEncryption.encrypt);

export class SamlProvider {
  readonly entityId = 'https://idp.test/metadata';
  readonly ssoUrl = 'https://idp.test/sso';
  /** In PEM, both. */
  readonly certificate: string;
  readonly privateKey: string;

  static async create(): Promise<SamlProvider> {
    const { privateKey, publicKey } = await createKeyPair({ kind: 'rsa', bits: 2048 });
    const name = commonNameOnly('idp.test');
    const certificate = await signCertificate(
      {
        serial: '01',
        issuer: name,
        subject: name,
        notBefore: new Date(Date.now() - 3_600_000),
        notAfter: new Date(Date.now() + 3_600_000),
        publicKeyInfo: encodePublicKeyInfo(publicKey),
        extensions: [],
      },
      keySigner(privateKey),
      () => undefined,
    );
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    return new SamlProvider(encodeCertificate(certificate), pem);
  }

  private constructor(certificate: string, privateKey: string) {
    this.certificate = certificate;
    this.privateKey = privateKey;
  }

  /** What a browser was sent with. @returns the ID of the request, when the receiver has signed it */
  read(url: string, receiver: SamlReceiver): { readonly id: string; readonly xml: string } {
    const { searchParams } = new URL(url);
    const [signed = ''] = url.slice(url.indexOf('?') + 1).split('&Signature=');
    const isSigned = createVerify('RSA-SHA256')
      .update(signed)
      .verify(receiver.certificate, searchParams.get('Signature') ?? '', 'base64');
    if (!isSigned) throw new Error('The request is not signed');
    const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString();
    return { id: / ID="([^"]+)"/.exec(xml)?.[1] ?? '', xml };
  }

  /** @returns XML */
  async answer(receiver: SamlReceiver, answer: SamlAnswer): Promise<string> {
    const {
      changesAssertion = (xml: string) => xml,
      encrypts = false,
      signs = ['response', 'assertion'],
    } = answer;
    const plain = this.assertion(receiver, answer);
    const signed = signs.includes('assertion') ? this.sign(plain, 'Assertion', answer) : plain;
    const changed = changesAssertion(signed);
    const content = encrypts
      ? `<saml:EncryptedAssertion xmlns:saml="${namespaces.saml}">${await this.encrypted(changed, receiver, answer)}</saml:EncryptedAssertion>`
      : changed;
    const response =
      `<samlp:Response xmlns:samlp="${namespaces.samlp}" ID="_${randomUUID()}" Version="2.0" IssueInstant="${instant(0)}"` +
      `${attribute('InResponseTo', answer.inResponseTo)} Destination="${receiver.acsUrl}">` +
      `<saml:Issuer xmlns:saml="${namespaces.saml}">${answer.issuer ?? this.entityId}</saml:Issuer>` +
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
      `${content}</samlp:Response>`;
    return signs.includes('response') ? this.sign(response, 'Response', answer) : response;
  }

  private assertion(receiver: SamlReceiver, answer: SamlAnswer): string {
    const {
      attributes = [],
      from = -1,
      method = bearer,
      nameId = 'ann',
      sessionIndex = '_session',
      to = 5,
    } = answer;
    const audience = 'audience' in answer ? answer.audience : receiver.entityId;
    const restriction =
      audience === undefined
        ? ''
        : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`;
    const statements = attributes.map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    );
    return (
      `<saml:Assertion xmlns:saml="${namespaces.saml}" ID="_${randomUUID()}" Version="2.0" IssueInstant="${instant(0)}">` +
      `<saml:Issuer>${answer.issuer ?? this.entityId}</saml:Issuer>` +
      `<saml:Subject><saml:NameID>${nameId}</saml:NameID><saml:SubjectConfirmation Method="${method}">` +
      `<saml:SubjectConfirmationData${attribute('InResponseTo', 'confirms' in answer ? answer.confirms : answer.inResponseTo)} NotOnOrAfter="${instant(to)}" Recipient="${answer.recipient ?? receiver.acsUrl}"/>` +
      `</saml:SubjectConfirmation></saml:Subject>` +
      `<saml:Conditions NotBefore="${instant(from)}" NotOnOrAfter="${instant(to)}">${restriction}</saml:Conditions>` +
      `<saml:AuthnStatement AuthnInstant="${instant(0)}" SessionIndex="${sessionIndex}"><saml:AuthnContext>` +
      `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>` +
      `</saml:AuthnContext></saml:AuthnStatement>` +
      `<saml:AttributeStatement>${statements.join('')}</saml:AttributeStatement></saml:Assertion>`
    );
  }

  private sign(xml: string, element: 'Response' | 'Assertion', { algorithm = 'sha256' }: SamlAnswer): string {
    const isOld = algorithm === 'sha1';
    const signature = new SignedXml({
      privateKey: this.privateKey,
      publicCert: this.certificate,
      canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
      signatureAlgorithm: isOld
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    });
    const path = `/*[local-name(.)='${element}']`;
    signature.addReference({
      xpath: path,
      transforms: [
        'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
        'http://www.w3.org/2001/10/xml-exc-c14n#',
      ],
      digestAlgorithm: isOld
        ? 'http://www.w3.org/2000/09/xmldsig#sha1'
        : 'http://www.w3.org/2001/04/xmlenc#sha256',
    });
    signature.computeSignature(xml, {
      location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
    });
    return signature.getSignedXml();
  }

  private async encrypted(
    xml: string,
    { certificate }: SamlReceiver,
    { keyEncryption = 'rsa-oaep-mgf1p' }: SamlAnswer,
  ): Promise<string> {
    return String(
      await encrypt(xml, {
        rsa_pub: certificate,
        pem: certificate,
        encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
        keyEncryptionAlgorithm: `http://www.w3.org/2001/04/xmlenc#${keyEncryption}`,
        warnInsecureAlgorithm: false,
      }),
    );
  }
}

const namespaces = {
  saml: 'urn:oasis:names:tc:SAML:2.0:assertion',
  samlp: 'urn:oasis:names:tc:SAML:2.0:protocol',
};

function instant(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

function attribute(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${value}"`;
}
