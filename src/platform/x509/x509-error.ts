/** The one error that the decoders of this folder throw, whether the DER or its meaning is wrong. */
export { DerError as X509Error } from '../../lib/der/index.ts';
