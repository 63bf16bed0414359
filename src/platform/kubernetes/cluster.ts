/** Where the API of a Kubernetes cluster is, and who asks it: inside of a pod, or by a kubeconfig file. */

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { checkShape } from '../../lib/check-shape.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { parseYaml, YamlError, yamlToData } from '../../lib/yaml/index.ts';

export interface ClusterAccess {
  /** `https://10.96.0.1:443`, without a slash at its end. */
  readonly url: string;
  readonly ca: string;
  readonly certificate?: string;
  readonly privateKey?: string;
  /** Read before each request: tokens of pods are replaced each hour. */
  readonly token: () => Promise<string | undefined>;
  /** Of the pod, or what the file says. */
  readonly namespace: string;
}

const accountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** @returns `undefined` outside of a cluster. @param directory - of the service account's files */
export async function clusterOfPod(
  environment: Readonly<Record<string, string | undefined>>,
  directory: string = accountDirectory,
): Promise<ClusterAccess | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = environment;
  if (host === undefined || host === '') return undefined;
  const tokenFile = resolve(directory, 'token');
  return {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
    ca: await readFile(resolve(directory, 'ca.crt'), 'utf8'),
    token: async () => (await readFile(tokenFile, 'utf8')).trim(),
    namespace: (await readFile(resolve(directory, 'namespace'), 'utf8')).trim(),
  };
}

const Named = <T extends z.ZodType>(name: string, shape: T) => z.object({ name: z.string(), [name]: shape });
const ClusterWire = z.object({
  server: z.url(),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
});
const UserWire = z.object({
  token: z.string().optional(),
  tokenFile: z.string().optional(),
  'client-certificate': z.string().optional(),
  'client-certificate-data': z.string().optional(),
  'client-key': z.string().optional(),
  'client-key-data': z.string().optional(),
});
const ContextWire = z.object({ cluster: z.string(), user: z.string(), namespace: z.string().optional() });
const KubeconfigWire = z.object({
  'current-context': z.string(),
  clusters: z.array(Named('cluster', ClusterWire)),
  users: z.array(Named('user', UserWire)),
  contexts: z.array(Named('context', ContextWire)),
});

/**
 * The current context of a file. Programs that make tokens (`exec`) are not run: give the primary a token of a service account.
 *
 * @throws ServiceError `conflict` naming the file and what is wrong
 */
export async function clusterOfFile(file: string): Promise<ClusterAccess> {
  const fail = (reason: string) => new ServiceError('conflict', `${file}: ${reason}`);
  const parsed = checkShape(KubeconfigWire, readYaml(await readFile(file, 'utf8'), fail));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw fail(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'no kubeconfig'}`);
  }
  const config = parsed.data;
  const pick = <T>(
    list: readonly Record<string, unknown>[],
    kind: string,
    name: string,
    shape: z.ZodType<T>,
  ): T => {
    const found = list.find((entry) => entry['name'] === name)?.[kind];
    const value = checkShape(shape, found);
    if (!value.success) throw fail(`there is no ${kind} '${name}'`);
    return value.data;
  };
  const context = pick(config.contexts, 'context', config['current-context'], ContextWire);
  const cluster = pick(config.clusters, 'cluster', context.cluster, ClusterWire);
  const user = pick(config.users, 'user', context.user, UserWire);
  const read = (path: string) => readFile(resolve(dirname(file), path), 'utf8');
  const content = async (data: string | undefined, path: string | undefined) => {
    if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8');
    return path === undefined ? undefined : read(path);
  };
  const ca = await content(cluster['certificate-authority-data'], cluster['certificate-authority']);
  if (ca === undefined) throw fail('the cluster has no certificate-authority: it could be any');
  const certificate = await content(user['client-certificate-data'], user['client-certificate']);
  const privateKey = await content(user['client-key-data'], user['client-key']);
  const { token, tokenFile } = user;
  if (token === undefined && tokenFile === undefined && certificate === undefined)
    throw fail('the user has neither a token, a tokenFile nor a client certificate');
  return {
    url: cluster.server.replace(/\/+$/, ''),
    ca,
    ...(certificate === undefined || privateKey === undefined ? {} : { certificate, privateKey }),
    token: async () => (tokenFile === undefined ? token : (await read(tokenFile)).trim()),
    namespace: context.namespace ?? 'default',
  };
}

function readYaml(text: string, fail: (reason: string) => ServiceError): unknown {
  try {
    return yamlToData(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw fail(error.message);
    throw error;
  }
}
