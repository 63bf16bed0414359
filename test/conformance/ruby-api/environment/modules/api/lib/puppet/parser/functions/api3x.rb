module Puppet::Parser::Functions
 newfunction(:api3x, :type=>:rvalue, :arity=>1, :doc=>'x') do |args|
  [args[0], lookupvar('kernel'), self.class.name, self['kernel'], environment.to_s, compiler.class.name, catalog.class.name, resource.to_s, function_upcase3(['a']) ].to_s
 end
end
