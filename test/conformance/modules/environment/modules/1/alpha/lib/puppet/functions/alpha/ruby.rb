Puppet::Functions.create_function(:'alpha::ruby') do
  def ruby
    [call_function('owner'), call_function('old_via_alpha')]
  end
end
