
Puppet::Functions.create_function(:'api::mode_int') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    require 'puppet/util/symbolic_file_mode'; m = Object.new.extend(Puppet::Util::SymbolicFileMode); args.map { |a| begin; m.symbolic_mode_to_int(*a).to_s(8); rescue StandardError => e; e.message; end }
  end
end
