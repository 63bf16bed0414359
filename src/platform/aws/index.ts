export { AutoScaling, type GroupInstance } from './auto-scaling.ts';
export { CloudWatch } from './cloud-watch.ts';
export { InstanceMetadata } from './instance-metadata.ts';
export { postToAws } from './post-to-aws.ts';
export { regionOf } from './region.ts';
export { amzDate, authorizationOf } from './signature-v4.ts';
