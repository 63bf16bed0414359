module Puppet::Parser::Functions
 newfunction(:upcase3, :type=>:rvalue) do |args|
  args[0].upcase
 end
end
