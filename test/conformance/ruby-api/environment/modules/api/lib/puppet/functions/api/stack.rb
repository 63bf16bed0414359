Puppet::Functions.create_function(:'api::stack') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    [Puppet::Pops::PuppetStack.stacktrace.size > 0, Puppet::Pops::PuppetStack.top_of_stack.size].to_s
  end
end
