function gamma::data(Hash $options, Puppet::LookupContext $context) { { 'gamma::who' => owner() } }
