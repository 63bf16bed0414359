# frozen_string_literal: true

module Puppet
  # Only code that has to do with types pays for them.
  autoload :Type, "#{__dir__}/types/type.rb"
  autoload :Parameter, "#{__dir__}/types/type.rb"
  autoload :Property, "#{__dir__}/types/type.rb"
  autoload :Provider, "#{__dir__}/types/type.rb"
  autoload :ResourceApi, "#{__dir__}/types/type.rb"
end

module Bunraku
  # Resource types, whose files are run to see what they define.
  module Types
    @added = {}

    class << self
      # Metaparameters of modules, with the type whose file has made each, and the type whose file is being loaded.
      attr_reader :added, :loading

      # @return what a compile needs of it; nil when the file defines no such type
      def read(name)
        type = Puppet::Type.type(name)
        type && describe(type)
      end

      # What a title pattern makes of a part of a title.
      def convert(name, pattern, attribute, capture)
        result = Puppet::Type.type(name).title_patterns[pattern][1][attribute][1].call(capture)
        result.is_a?(String) || result.nil? ? result : result.to_s
      end

      # Called for types that are not known yet.
      def load(name)
        outer = @loading
        file, built_in = Host.ask('typeFile', name.to_s)
        return built_in && define_built_in(name, built_in) if file.nil?

        @loading = name.to_sym
        load_file("puppet/type/#{File.basename(file)}", file)
      ensure
        @loading = outer
      end

      def load_file(feature, file)
        Kernel.load(file)
      rescue StandardError, LoadError, SyntaxError => e
        raise Puppet::Error, "Could not autoload #{feature.delete_suffix('.rb')}: #{e.message}"
      end

      def provider_files(name)
        Requiring.library.flat_map { |directory| Dir.glob(File.join(directory, 'puppet/provider', name.to_s, '*.rb')).sort }
      end

      private

      def describe(type)
        titles = patterns(type)
        { name: type.name.to_s, properties: type.properties.map { |property| property.name.to_s },
          parameters: type.parameters.map(&:to_s), namevars: type.key_attributes.map(&:to_s),
          isIsomorphic: type.isomorphic? ? true : false, metaparameters: added_by(type.name), **titles }
      end

      def added_by(name)
        added.select { |_, type| type == name }.keys.map(&:to_s)
      end

      # Code that fails only matters to those who need the patterns.
      def patterns(type)
        { titlePatterns: type.title_patterns.map { |regexp, attributes| pattern(regexp, attributes) } }
      rescue StandardError => e
        { titlePatterns: [], titlePatternsProblem: e.message }
      end

      def pattern(regexp, attributes)
        { source: regexp.source, options: regexp.options & 7, attributes: attributes.map { |name, _| name.to_s },
          converts: attributes.map { |_, convert| convert ? true : false } }
      end

      # Their names are the worker's; nothing else is known of them here.
      def define_built_in(name, known)
        Puppet::Type.newtype(name) do
          @is_described = true
          @isomorphic = known['isIsomorphic']
          known['properties'].each { |property| newproperty(property) }
          known['parameters'].each { |parameter| newparam(parameter, namevar: known['namevars'].include?(parameter)) }
        end
      end
    end
  end
end
