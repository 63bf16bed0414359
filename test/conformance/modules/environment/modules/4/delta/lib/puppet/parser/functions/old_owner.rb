module Puppet::Parser::Functions
  newfunction(:old_owner, type: :rvalue) do |_args|
    'delta'
  end
end
