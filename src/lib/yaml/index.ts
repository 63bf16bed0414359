/** YAML as Ruby reads it. */

export { parseYaml } from './parse-yaml.ts';
export { type RenderableYaml, renderYaml, YamlObject } from './render-yaml.ts';
export {
  isYamlList,
  isYamlMap,
  YamlBinary,
  type YamlData,
  YamlFloat,
  type YamlMap,
  YamlSymbol,
  type YamlValue,
  yamlToData,
} from './value.ts';
export { YamlError, type YamlErrorKind } from './yaml-error.ts';
