module Puppet::Parser::Functions
  newfunction(:old_via_alpha, type: :rvalue) do |_args|
    call_function('owner', [])
  end
end
