Puppet::Functions.create_function(:'beta::ruby') do
  def ruby
    [call_function('owner'), call_function('old_via_beta')]
  end
end
