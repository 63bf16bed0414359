
Puppet::Functions.create_function(:'api::mode_valid') do

  dispatch :run do
    optional_repeated_param 'Any', :args
  end
  def run(*args)
    require 'puppet/util/symbolic_file_mode'; m = Object.new.extend(Puppet::Util::SymbolicFileMode); args.map { |a| [m.valid_symbolic_mode?(a), m.normalize_symbolic_mode(a), a.is_a?(String) ? m.display_mode(a) : nil] }
  end
end
