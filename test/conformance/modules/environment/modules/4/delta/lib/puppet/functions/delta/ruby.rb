Puppet::Functions.create_function(:'delta::ruby') do
  def ruby
    [call_function('owner'), call_function('old_via_delta')]
  end
end
