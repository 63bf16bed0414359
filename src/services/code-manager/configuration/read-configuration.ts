/** `r10k.yaml`, as r10k reads it. */

import { z } from 'zod';
import { checkShape } from '../../../lib/check-shape.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { withoutTrailingSlashes } from '../../../lib/trailing-slashes.ts';
import { parseYaml, YamlError, YamlSymbol, type YamlValue } from '../../../lib/yaml/index.ts';
import type { CodeConfiguration, GitAccess, GitConfiguration, SourceConfiguration } from './configuration.ts';

/** A mistake in `r10k.yaml`, for its author. */
export class ConfigurationError extends ServiceError {
  constructor(message: string, cause?: unknown) {
    super('conflict', message, cause === undefined ? {} : { cause });
    this.name = 'ConfigurationError';
  }
}

const optionalText = z.string().optional();
const invalidBranches = z.enum(['correct', 'correct_and_warn', 'error']);

const SourceWire = z.object({
  type: z.enum(['git', 'svn', 'yaml', 'yamldir', 'exec']).default('git'),
  remote: optionalText,
  basedir: optionalText,
  prefix: z.union([z.boolean(), z.string()]).nullish(),
  strip_component: z.union([z.string(), z.literal(false)]).nullish(),
  puppetfile_name: optionalText,
  invalid_branches: invalidBranches.default('correct_and_warn'),
  ignore_branch_prefixes: z.array(z.string()).nullish(),
  filter_command: optionalText,
  config: optionalText,
  command: optionalText,
});

const accessShape = {
  private_key: optionalText,
  oauth_token: optionalText,
  proxy: optionalText,
};

const ConfigurationWire = z.object({
  cachedir: optionalText,
  pool_size: z.number().int().min(1).max(64).default(8),
  proxy: optionalText,
  postrun: z.array(z.string()).nullish(),
  git: z
    .object({
      ...accessShape,
      default_ref: optionalText,
      repositories: z.array(z.object({ ...accessShape, remote: z.string() })).nullish(),
    })
    .nullish(),
  forge: z
    .object({
      proxy: optionalText,
      baseurl: optionalText,
      authorization_token: optionalText,
      allow_puppetfile_override: z.boolean().default(false),
    })
    .nullish(),
  deploy: z
    .object({
      purge_levels: z.array(z.enum(['deployment', 'environment', 'puppetfile'])).optional(),
      purge_allowlist: z.array(z.string()).nullish(),
      purge_whitelist: z.array(z.string()).nullish(),
      write_lock: optionalText,
      exclude_spec: z.boolean().nullish(),
    })
    .nullish(),
  sources: z.record(z.string(), SourceWire),
});

type Wire = z.infer<typeof ConfigurationWire>;

const forgeDefault = 'https://forgeapi.puppetlabs.com';

/**
 * Decodes the text of a configuration; keys may be symbols, as in old files.
 *
 * @param file - for messages
 * @throws ConfigurationError naming the file and what is wrong
 */
export function readConfiguration(text: string, file: string): CodeConfiguration {
  const result = checkShape(ConfigurationWire, parse(text, file));
  if (!result.success) {
    const [first] = result.error.issues;
    throw new ConfigurationError(`${file}: ${first?.path.join('.') ?? ''}: ${first?.message ?? ''}`);
  }
  const wire = result.data;
  return {
    sources: Object.entries(wire.sources).map(([name, source]) => sourceOf(name, source, file)),
    git: gitOf(wire),
    forge: {
      baseurl: withoutTrailingSlashes(wire.forge?.baseurl ?? forgeDefault),
      proxy: wire.forge?.proxy ?? wire.proxy,
      authorizationToken: wire.forge?.authorization_token,
      allowPuppetfileOverride: wire.forge?.allow_puppetfile_override ?? false,
    },
    deploy: {
      purgeLevels: wire.deploy?.purge_levels ?? ['deployment', 'puppetfile'],
      purgeAllowlist: allowlistOf(wire),
      writeLock: wire.deploy?.write_lock,
      excludeSpec: wire.deploy?.exclude_spec ?? false,
    },
    poolSize: wire.pool_size,
    cacheDirectory: wire.cachedir,
    postrun: wire.postrun ?? [],
  };
}

function parse(text: string, file: string): unknown {
  try {
    return plain(parseYaml(text));
  } catch (error) {
    if (error instanceof YamlError) throw new ConfigurationError(error.messageFor(file), error);
    throw error;
  }
}

/** Maps become objects; symbols, which old files have as keys, their text. */
export function plain(value: YamlValue): unknown {
  if (value instanceof YamlSymbol) return value.name;
  if (value instanceof Map)
    return Object.fromEntries(
      Array.from(value as ReadonlyMap<YamlValue, YamlValue>, ([key, item]) => [
        String(plain(key)),
        plain(item),
      ]),
    );
  if (Array.isArray(value)) return (value as readonly YamlValue[]).map(plain);
  return typeof value === 'bigint' ? Number(value) : value;
}

function allowlistOf({ deploy }: Wire): readonly string[] {
  const allowlist = deploy?.purge_allowlist ?? [];
  const whitelist = deploy?.purge_whitelist ?? [];
  if (allowlist.length > 0 && whitelist.length > 0)
    throw new ConfigurationError(
      'Values found for both purge_whitelist and purge_allowlist. Setting purge_whitelist is deprecated, please only use purge_allowlist.',
    );
  return allowlist.length > 0 ? allowlist : whitelist;
}

function gitOf({ git, proxy }: Wire): GitConfiguration {
  const general = accessOf(git ?? {}, { proxy });
  return {
    defaultRef: git?.default_ref,
    access: general,
    repositories: (git?.repositories ?? []).map((repository) => ({
      remote: repository.remote,
      ...accessOf(repository, general),
    })),
  };
}

function accessOf(
  wire: { private_key?: string | undefined; oauth_token?: string | undefined; proxy?: string | undefined },
  general: GitAccess,
): GitAccess {
  return {
    privateKey: wire.private_key ?? general.privateKey,
    oauthToken: wire.oauth_token ?? general.oauthToken,
    proxy: wire.proxy ?? general.proxy,
  };
}

function sourceOf(name: string, wire: z.infer<typeof SourceWire>, file: string): SourceConfiguration {
  const common = {
    name,
    basedir: wire.basedir,
    prefix: wire.prefix ?? false,
    stripComponent: wire.strip_component === false ? undefined : (wire.strip_component ?? undefined),
    puppetfileName: wire.puppetfile_name ?? 'Puppetfile',
  };
  switch (wire.type) {
    case 'svn':
      throw new ConfigurationError(`${file}: sources.${name}: Subversion is not supported`);
    case 'git':
      if (wire.remote === undefined || wire.remote === '')
        throw new ConfigurationError(`${file}: sources.${name}: a git source needs a remote`);
      return {
        ...common,
        kind: 'git',
        remote: wire.remote,
        invalidBranches: wire.invalid_branches,
        ignoreBranchPrefixes: wire.ignore_branch_prefixes ?? [],
        filterCommand: wire.filter_command,
      };
    case 'yaml':
      return { ...common, kind: 'yaml', config: wire.config ?? '/etc/puppetlabs/r10k/environments.yaml' };
    case 'yamldir':
      return { ...common, kind: 'yamldir', config: wire.config ?? '/etc/puppetlabs/r10k/environments.d' };
    case 'exec':
      if (wire.command === undefined)
        throw new ConfigurationError(`${file}: sources.${name}: an exec source needs a command`);
      return { ...common, kind: 'exec', config: wire.command };
    default:
      return wire.type satisfies never;
  }
}
