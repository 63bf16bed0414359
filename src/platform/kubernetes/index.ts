export { clusterOfFile, clusterOfPod } from './cluster.ts';
export { ClusterApi } from './cluster-api.ts';
