/** Whether a public key is too weak to rely on. */

import { createPublicKey, type KeyObject } from 'node:crypto';

const leastRsaBits = 2048;
const strongCurves: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];
const strongTypes: readonly string[] = ['ed25519', 'ed448'];

/**
 * @param publicKeyInfo - SubjectPublicKeyInfo as DER
 * @returns what is wrong with it, in words, or `undefined`
 */
export function keyWeakness(publicKeyInfo: Uint8Array): string | undefined {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.from(publicKeyInfo), format: 'der', type: 'spki' });
  } catch {
    // OpenSSL knows neither the algorithm nor the parameters.
    return 'its public key cannot be read';
  }
  const { asymmetricKeyDetails: details, asymmetricKeyType: type = 'unknown' } = key;
  if (type === 'rsa') return rsaWeakness(details?.modulusLength ?? 0, details?.publicExponent ?? 0n);
  if (type === 'ec') {
    const curve = details?.namedCurve ?? 'unknown';
    return strongCurves.includes(curve) ? undefined : `keys on the curve ${curve} are not accepted`;
  }
  return strongTypes.includes(type) ? undefined : `keys of type ${type} are not accepted`;
}

function rsaWeakness(bits: number, exponent: bigint): string | undefined {
  if (bits < leastRsaBits)
    return `an RSA key of ${bits} bits is too weak, it must have at least ${leastRsaBits}`;
  return exponent < 65_537n || exponent % 2n === 0n
    ? `an RSA key with the public exponent ${exponent} is too weak`
    : undefined;
}
