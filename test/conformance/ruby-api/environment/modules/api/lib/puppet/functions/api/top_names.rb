Puppet::Functions.create_function(:'api::top_names') do
  def top_names
    [Time, Module, File, Kernel, Set].map(&:to_s) +
      [Time.at(0).utc.year, Module.new.class, Module.nesting.map(&:to_s)].map(&:to_s)
  end
end
