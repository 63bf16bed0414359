Puppet::Parser::Functions.newfunction(:api_top_names, type: :rvalue) do |_args|
  [Time, Module, File, Kernel, Set, Time.at(0).utc.year, Module.new.class, Module.nesting.map(&:to_s)].map(&:to_s)
end
