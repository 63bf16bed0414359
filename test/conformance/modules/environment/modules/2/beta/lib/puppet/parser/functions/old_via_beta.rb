module Puppet::Parser::Functions
  newfunction(:old_via_beta, type: :rvalue) do |_args|
    call_function('owner', [])
  end
end
