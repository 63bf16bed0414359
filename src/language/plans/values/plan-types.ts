/** The types that plans have besides those of the language. Their attributes and functions are those of Bolt. */

import {
  AliasType,
  declareType,
  type ObjectType,
  type PuppetType,
  parseType,
  type TypeResolver,
} from '../../pcore/index.ts';
import { parseManifest } from '../../syntax/index.ts';

const DERIVED = 'kind => given_or_derived';

const OBJECTS = `
type Target = Object[{
  attributes => {
    uri => { type => Optional[String[1]], ${DERIVED} },
    name => { type => Optional[String[1]], ${DERIVED} },
    safe_name => { type => Optional[String[1]], ${DERIVED} },
    target_alias => { type => Optional[Variant[String[1], Array[String[1]]]], ${DERIVED} },
    config => { type => Optional[Hash[String[1], Data]], ${DERIVED} },
    vars => { type => Optional[Hash[String[1], Data]], ${DERIVED} },
    facts => { type => Optional[Hash[String[1], Data]], ${DERIVED} },
    features => { type => Optional[Array[String[1]]], ${DERIVED} },
    plugin_hooks => { type => Optional[Hash[String[1], Data]], ${DERIVED} },
    resources => { type => Optional[Hash[String[1], ResourceInstance]], ${DERIVED} },
  },
  functions => {
    host => Callable[[], Optional[String]],
    password => Callable[[], Optional[String[1]]],
    port => Callable[[], Optional[Integer]],
    protocol => Callable[[], Optional[String[1]]],
    transport => Callable[[], String[1]],
    transport_config => Callable[[], Hash[String[1], Data]],
    user => Callable[[], Optional[String[1]]],
  },
}]
type Result = Object[{
  attributes => { value => Hash[String[1], Data], target => Target },
  functions => {
    error => Callable[[], Optional[Error]],
    message => Callable[[], Optional[String]],
    sensitive => Callable[[], Optional[Sensitive[Data]]],
    action => Callable[[], String],
    status => Callable[[], String],
    to_data => Callable[[], Hash],
    ok => Callable[[], Boolean],
    '[]' => Callable[[String[1]], Variant[Data, Sensitive[Data]]],
  },
}]
type ApplyResult = Object[{
  attributes => {
    report => Hash[String[1], Data],
    target => Target,
    error => Optional[Error],
    catalog => Optional[Hash],
  },
  functions => {
    ok => Callable[[], Boolean],
    message => Callable[[], Optional[String]],
    action => Callable[[], String],
    to_data => Callable[[], Hash],
    value => Callable[[], Hash],
  },
}]
type ResultSet = Object[{
  attributes => { results => Array[Variant[Result, ApplyResult]] },
  functions => {
    count => Callable[[], Integer],
    empty => Callable[[], Boolean],
    error_set => Callable[[], ResultSet],
    filter_set => Callable[[Callable], ResultSet],
    find => Callable[[String[1]], Optional[Variant[Result, ApplyResult]]],
    first => Callable[[], Optional[Variant[Result, ApplyResult]]],
    names => Callable[[], Array[String[1]]],
    ok => Callable[[], Boolean],
    ok_set => Callable[[], ResultSet],
    targets => Callable[[], Array[Target]],
    to_data => Callable[[], Array[Hash]],
    '[]' => Variant[
      Callable[[Integer], Optional[Variant[Result, ApplyResult, Array[Variant[Result, ApplyResult]]]]],
      Callable[[Integer, Integer], Optional[Variant[Result, ApplyResult, Array[Variant[Result, ApplyResult]]]]]
    ],
  },
}]
type Future = Object[{
  attributes => {},
  functions => { state => Callable[[], Enum['running', 'done', 'error']] },
}]
type ContainerResult = Object[{
  attributes => { value => Hash[String[1], Data] },
  functions => {
    '[]' => Callable[[String[1]], Data],
    error => Callable[[], Optional[Error]],
    ok => Callable[[], Boolean],
    status => Callable[[], String],
    stdout => Callable[[], String],
    stderr => Callable[[], String],
    to_data => Callable[[], Hash],
  },
}]
type ResourceInstance = Object[{
  attributes => {
    target => Target,
    type => Variant[String[1], Type[Resource]],
    title => String[1],
    state => Optional[Hash[String[1], Data]],
    desired_state => Optional[Hash[String[1], Data]],
    events => Optional[Array[Hash[String[1], Data]]],
  },
  functions => {
    add_event => Callable[[Hash[String[1], Data]], Array[Hash[String[1], Data]]],
    set_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
    overwrite_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
    set_desired_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
    overwrite_desired_state => Callable[[Hash[String[1], Data]], Hash[String[1], Data]],
    reference => Callable[[], String],
    '[]' => Callable[[String[1]], Data],
  },
}]
`;

const ALIASES: Readonly<Record<string, string>> = {
  'Boltlib::TargetSpec': 'Variant[String[1], Target, Array[Boltlib::TargetSpec]]',
  'Boltlib::PlanResult':
    'Variant[Boolean, Numeric, String, Undef, Error, Result, ApplyResult, ResultSet, Target, ResourceInstance, ' +
    'ContainerResult, Future, Array[Boltlib::PlanResult], Hash[String, Boltlib::PlanResult]]',
  TargetSpec: 'Boltlib::TargetSpec',
  PlanResult: 'Boltlib::PlanResult',
};

class PlanTypes implements TypeResolver {
  private readonly known = new Map<string, PuppetType>();

  constructor() {
    const program = parseManifest({ file: '', text: OBJECTS });
    for (const definition of program.definitions) {
      if (definition.kind !== 'TypeAlias') continue;
      this.known.set(definition.name.toLowerCase(), declareType(definition, OBJECTS, this));
    }
    for (const [name, text] of Object.entries(ALIASES))
      this.known.set(name.toLowerCase(), new AliasType(name, () => parseType(text, this)));
  }

  findAlias(name: string): PuppetType | undefined {
    return this.known.get(name.toLowerCase());
  }

  /** One of the Object types. */
  object(name: string): ObjectType {
    // The text above declares them as Object types: `declareType` says less than it knows.
    return this.known.get(name.toLowerCase()) as ObjectType;
  }
}

export const PLAN_TYPES: PlanTypes = new PlanTypes();
