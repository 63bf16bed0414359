/** Which layers there are: the global one, the environment's, and one for each module with data. */

import { directoryOf, type Environment, joinPath, type Module } from '../environment/index.ts';
import type { ProviderOwner } from './entry-provider.ts';
import { HIERA_FILES, type HieraFiles } from './hiera-files.ts';
import {
  defaultConfig,
  defaultConfigWithClassifier,
  type HierarchyConfig,
  type LayerKind,
} from './hierarchy-config.ts';
import type { InterpolationRules } from './interpolation.ts';
import { LayerProvider } from './layer-provider.ts';
import { LookupError } from './lookup-error.ts';
import type { LookupInvocation } from './lookup-request.ts';

const CONFIG_FILE = 'hiera.yaml';

/** The layers as one compile sees them. Each is read when it is first needed. */
export class HieraLayers {
  private readonly environment: Environment;
  private readonly invocation: LookupInvocation;
  private readonly files: HieraFiles;
  private readonly rules: InterpolationRules;
  private readonly modules = new Map<string, LayerProvider | undefined>();
  private globalLayer: { readonly provider: LayerProvider } | undefined;
  private environmentLayer: { readonly provider: LayerProvider | undefined } | undefined;

  constructor(environment: Environment, invocation: LookupInvocation, rules: InterpolationRules) {
    this.environment = environment;
    this.invocation = invocation;
    this.files = environment.attached(HIERA_FILES);
    this.rules = rules;
  }

  global(): LayerProvider {
    this.globalLayer ??= { provider: this.loadGlobal() };
    return this.globalLayer.provider;
  }

  /** `undefined` when the environment has no (usable) `hiera.yaml`. */
  environmentProvider(): LayerProvider | undefined {
    this.environmentLayer ??= { provider: this.loadLayer(this.environment.config.directory, undefined) };
    return this.environmentLayer.provider;
  }

  hasModule(name: string): boolean {
    return this.environment.modules.has(name);
  }

  /** `undefined` when there is no such module, or it has no (usable) `hiera.yaml`. */
  module(name: string): LayerProvider | undefined {
    const known = this.modules.get(name);
    if (known !== undefined || this.modules.has(name)) return known;
    const module = this.environment.modules.get(name);
    const provider = module === undefined ? undefined : this.loadLayer(module.directory, module);
    this.modules.set(name, provider);
    return provider;
  }

  private loadGlobal(): LayerProvider {
    const path = this.environment.config.globalHieraConfig;
    const root = path === undefined ? '/nonexistent' : directoryOf(path);
    if (path === undefined || !this.files.exists(path)) {
      const hasClassifierData = this.invocation.classifierData !== undefined;
      const config = hasClassifierData ? defaultConfigWithClassifier(root) : defaultConfig(root);
      return this.provider(config, undefined, 'Global');
    }
    const loaded = this.config(path, root, 'global');
    if (loaded.kind === 'version-3') throw unsupportedVersion3(path);
    if (loaded.config.version === 4) {
      throw new LookupError('hiera.yaml version 4 cannot be used in the global layer', {
        issue: 'hiera_unsupported_version_in_global',
        position: { file: path },
      });
    }
    return this.provider(loaded.config, undefined, 'Global');
  }

  private loadLayer(root: string, module: Module | undefined): LayerProvider | undefined {
    const path = joinPath(root, CONFIG_FILE);
    if (!this.files.exists(path)) return undefined;
    const layer: LayerKind = module === undefined ? 'environment' : 'module';
    const loaded = this.config(path, root, layer);
    if (loaded.kind === 'version-3') {
      this.refuseVersion3(path, layer, loaded.isNoHash);
      return undefined;
    }
    if (loaded.config.version === 4) this.warnOfOldVersion(path, 4);
    const place = module === undefined ? 'Environment' : `Module "${module.name}"`;
    return this.provider(loaded.config, module, place);
  }

  private config(path: string, root: string, layer: LayerKind) {
    const { product } = this.environment.config.settings.level;
    return this.files.config({ path, root, layer, product });
  }

  private provider(config: HierarchyConfig, module: Module | undefined, place: string): LayerProvider {
    const owner: ProviderOwner = {
      moduleName: module?.name,
      environmentName: this.environment.name,
      strict: this.environment.config.settings.strict,
      level: this.environment.config.settings.level,
      config,
      files: this.files,
      rules: this.rules,
    };
    return new LayerProvider(owner, place);
  }

  private refuseVersion3(path: string, layer: 'environment' | 'module', isNoHash: boolean): void {
    if (isNoHash) {
      this.invocation.log(
        'warning',
        `${path}: File exists but does not contain a valid YAML hash. Falling back to Hiera version 3 default config`,
      );
    }
    this.warnOfOldVersion(path, 3);
    if (this.environment.config.settings.strict === 'error') {
      const where = layer === 'environment' ? 'an environment' : 'a module';
      throw new LookupError(`hiera.yaml version 3 cannot be used in ${where}`, {
        issue: 'hiera_version_3_not_global',
        position: { file: path },
      });
    }
    const where = layer === 'environment' ? 'the environment root' : 'module root';
    this.invocation.warnOnce(
      `hiera_v3_at_${layer === 'environment' ? 'env' : 'module'}_root:${path}`,
      `hiera.yaml version 3 found at ${where} was ignored\n   (file: ${path})`,
    );
  }

  private warnOfOldVersion(path: string, version: number): void {
    if (this.environment.config.settings.strict === 'off') return;
    this.invocation.warnOnce(
      `deprecations:hiera.yaml:${path}`,
      `${path}: Use of 'hiera.yaml' version ${version} is deprecated. It should be converted to version 5\n   (file: ${path})`,
      'deprecations',
    );
  }
}

function unsupportedVersion3(path: string): LookupError {
  return new LookupError(
    "This runtime does not support hiera.yaml version 3. Convert it to version 5: 'version: 5' with a list of named entries under 'hierarchy', each with 'path' or 'paths' and, for YAML files, 'data_hash: yaml_data'",
    { issue: 'hiera_unsupported_version', position: { file: path } },
  );
}
