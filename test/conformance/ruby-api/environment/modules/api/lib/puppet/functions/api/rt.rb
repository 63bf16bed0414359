Puppet::Functions.create_function(:'api::rt') do

  dispatch :run do
    return_type 'Integer'
  end
  def run(*args)
    'x'
  end
end
