/** The region in which AWS is asked. */

import type { InstanceMetadata } from './instance-metadata.ts';

/** By AWS's own variables, else that of the instance. @throws ServiceError `unavailable` outside of AWS */
export async function regionOf(
  environment: Readonly<Record<string, string | undefined>>,
  metadata: Pick<InstanceMetadata, 'get'>,
): Promise<string> {
  const named = environment['AWS_REGION'] ?? environment['AWS_DEFAULT_REGION'];
  return named ?? metadata.get('meta-data/placement/region');
}
