function beta::data(Hash $options, Puppet::LookupContext $context) { { 'beta::who' => owner() } }
