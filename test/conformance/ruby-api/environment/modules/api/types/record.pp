type Api::Record = Struct[{a => Api::Letter, Optional[b] => String}]
