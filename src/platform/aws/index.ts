export { InstanceMetadata } from './instance-metadata.ts';
export { postToAws } from './post-to-aws.ts';
export { amzDate, authorizationOf } from './signature-v4.ts';
