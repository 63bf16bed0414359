# frozen_string_literal: true

module Bunraku
  autoload(:DataTypes, "#{__dir__}/data_types.rb")

  # The environments as code finds them: only the one that is compiled.
  module Environments
    module_function

    def get(name)
      environment = Host.scope.environment
      environment if environment.name == name.to_sym
    end

    def get!(name)
      get(name) || raise(Puppet::Error, "Could not find a directory environment named '#{name}'")
    end

    def list
      [Host.scope.environment]
    end
  end
end

module Puppet
  # Only code that uses them pays for them.
  %i[HTTP SSL Network].each { |name| autoload(name, "#{__dir__}/http.rb") }
  autoload(:DataTypes, "#{__dir__}/data_types.rb")
  Util.autoload(:SymbolicFileMode, "#{__dir__}/symbolic_file_mode.rb")

  class << self
    def runtime
      @runtime ||= { http: HTTP::Client.new }.freeze
    end
  end
end

# The facts of the server itself, where Facter is installed.
Object.autoload(:Facter, 'facter')
