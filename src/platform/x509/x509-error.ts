/** The one error that the decoders of this folder throw: what arrived is not what it should be. */

/** Malformed, unsupported or contradictory DER, PEM, certificate, request or CRL. The message is for people. */
export class X509Error extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'X509Error';
  }
}
