Puppet::Functions.create_function(:'api::tc_generalize') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::TypeCalculator.generalize(Puppet::Pops::Types::TypeCalculator.infer(1)).to_s
  end
end
