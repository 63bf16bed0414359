import { createHash } from 'node:crypto';
import { fault } from '../../pcore/index.ts';
import { defineLegacyFunction } from '../legacy-function.ts';
import { digestOf } from './digest-of.ts';

const ALGORITHMS: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512']);
/** How much of a text those named `lite` read. */
const LITE_BYTES = 512;

/** `digest(text)`: the digest of a string by the algorithm of the setting `digest_algorithm`. */
export const digest = defineLegacyFunction({
  name: 'digest',
  bytes: 'values',
  arity: 1,
  call: (context, [text = null]) => {
    const setting = String(context.environment.config.settings.visible['digest_algorithm'] ?? 'sha256');
    const algorithm = setting.replace(/lite$/, '');
    if (!ALGORITHMS.has(algorithm)) throw fault(`digest(): unknown digest_algorithm '${setting}'`);
    if (algorithm === setting || typeof text !== 'string') return digestOf(algorithm, text);
    return createHash(algorithm).update(new TextEncoder().encode(text).subarray(0, LITE_BYTES)).digest('hex');
  },
});
