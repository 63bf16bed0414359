Puppet::Functions.create_function(:'api::override') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet.override({:x=>1},'d') { Puppet.lookup(:x) }.to_s
  end
end
