function alpha::data(Hash $options, Puppet::LookupContext $context) { { 'alpha::who' => owner() } }
