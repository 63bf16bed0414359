module Puppet::Parser::Functions
  newfunction(:old_via_delta, type: :rvalue) do |_args|
    call_function('owner', [])
  end
end
