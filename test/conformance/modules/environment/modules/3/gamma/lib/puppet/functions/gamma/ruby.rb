Puppet::Functions.create_function(:'gamma::ruby') do
  def ruby
    [call_function('owner'), call_function('old_via_gamma')]
  end
end
