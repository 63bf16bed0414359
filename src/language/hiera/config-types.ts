/** The structure of a `hiera.yaml`, as types of the language. */

const HIERARCHY_TYPE = `Array[Struct[{
  name => String[1],
  Optional[options] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data],
  Optional[data_hash] => String[1],
  Optional[lookup_key] => String[1],
  Optional[hiera3_backend] => String[1],
  Optional[v4_data_hash] => String[1],
  Optional[data_dig] => String[1],
  Optional[path] => String[1],
  Optional[paths] => Array[String[1], 1],
  Optional[glob] => String[1],
  Optional[globs] => Array[String[1], 1],
  Optional[uri] => String[1],
  Optional[uris] => Array[String[1], 1],
  Optional[mapped_paths] => Array[String[1], 3, 3],
  Optional[datadir] => String[1]
}]]`;

/** Version 5. */
export const CONFIG_TYPE_5 = `Struct[{
  version => Integer[5, 5],
  Optional[defaults] => Struct[{
    Optional[data_hash] => String[1],
    Optional[lookup_key] => String[1],
    Optional[data_dig] => String[1],
    Optional[datadir] => String[1],
    Optional[options] => Hash[Pattern[/\\A[A-Za-z](:?[0-9A-Za-z_-]*[0-9A-Za-z])?\\z/], Data]
  }],
  Optional[hierarchy] => ${HIERARCHY_TYPE},
  Optional[plan_hierarchy] => ${HIERARCHY_TYPE},
  Optional[default_hierarchy] => ${HIERARCHY_TYPE}
}]`;

/** Version 4, which differs in all but the idea. */
export const CONFIG_TYPE_4 = `Struct[{
  version => Integer[4, 4],
  Optional[datadir] => String[1],
  Optional[hierarchy] => Array[Struct[{
    backend => String[1],
    name => String[1],
    Optional[datadir] => String[1],
    Optional[path] => String[1],
    Optional[paths] => Array[String[1]]
  }]]
}]`;
