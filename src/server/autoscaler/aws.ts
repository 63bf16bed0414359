/** AWS as the servers ask it: by AWS's own variables, and the role of the instance. */

import { AutoScaling, CloudWatch, InstanceMetadata, regionOf } from '../../platform/aws/index.ts';
import { processEnvironment } from '../../platform/settings/index.ts';

/** Of the instance on which this server runs. */
export function ownMetadata(): InstanceMetadata {
  return new InstanceMetadata(processEnvironment()['AWS_EC2_METADATA_SERVICE_ENDPOINT']);
}

export function openGroups(metadata: InstanceMetadata = ownMetadata()): AutoScaling {
  return new AutoScaling({ region: () => regionOf(processEnvironment(), metadata) });
}

export function openCloudWatch(metadata: InstanceMetadata): CloudWatch {
  return new CloudWatch(() => regionOf(processEnvironment(), metadata));
}
