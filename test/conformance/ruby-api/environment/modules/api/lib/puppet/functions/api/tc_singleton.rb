Puppet::Functions.create_function(:'api::tc_singleton') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    c=Puppet::Pops::Types::TypeCalculator.singleton; [c.infer(1).to_s,c.assignable?(Puppet::Pops::Types::TypeFactory.numeric,Puppet::Pops::Types::TypeFactory.integer),c.instance?(Puppet::Pops::Types::TypeFactory.string,'x')].to_s
  end
end
