module Puppet::Parser::Functions
  newfunction(:mixed, type: :rvalue) do |_args|
    'older of beta'
  end
end
