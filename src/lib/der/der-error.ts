/** Malformed or unsupported DER, and what is made of it: PEM, certificates, requests, CRLs. The message is for people. */
export class DerError extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'DerError';
  }
}
