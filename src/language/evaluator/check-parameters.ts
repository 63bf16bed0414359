import { failure } from '../catalog/index.ts';
import { describeParameters, type PuppetHash, type StructType } from '../pcore/index.ts';

/** @throws PuppetError without a position that says everything that is wrong with the parameters */
export function checkParameters(subject: string, parameters: StructType, given: PuppetHash): void {
  const message = describeParameters({ subject, parameters, given });
  if (message !== undefined) throw failure(message);
}
