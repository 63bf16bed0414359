Puppet::Functions.create_function(:'api::iter') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    Puppet::Pops::Types::Iterable.asserted_iterable(self, [1,2]).to_a.to_s
  end
end
