module Puppet::Parser::Functions
  newfunction(:api_pson, type: :rvalue) { |args| PSON.parse(args[0]) }
end
