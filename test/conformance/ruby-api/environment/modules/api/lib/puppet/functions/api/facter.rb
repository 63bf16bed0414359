Puppet::Functions.create_function(:'api::facter') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Facter.value('kernel').class.name
  end
end
