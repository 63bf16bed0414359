/** YAML as Ruby reads it. */

export { decodeYaml } from './decode-yaml.ts';
export { yamlOfJson } from './json-yaml.ts';
export { parseStyledYaml } from './parse-styled-yaml.ts';
export { parseYaml } from './parse-yaml.ts';
export { type RenderableYaml, renderYaml, YamlObject } from './render-yaml.ts';
export {
  isYamlList,
  isYamlMap,
  type StyledYaml,
  YamlBinary,
  YamlFloat,
  YamlSymbol,
  YamlText,
  type YamlValue,
  yamlToData,
} from './value.ts';
export { yamlAsJson } from './yaml-as-json.ts';
export { YamlError } from './yaml-error.ts';
