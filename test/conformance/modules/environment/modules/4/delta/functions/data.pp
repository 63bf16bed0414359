function delta::data(Hash $options, Puppet::LookupContext $context) { { 'delta::who' => owner() } }
