# frozen_string_literal: true

module Puppet
  # A reference to a resource, or a resource of the catalog.
  class Resource
    include Enumerable

    attr_reader :type, :title

    def self.type_and_title(type, title)
      type, title = split_reference(type, title)
      type = type_name(type)
      title = title == '' ? :main : type_name(title) if type == 'Class'
      [type, title]
    end

    REFERENCE = /\A([^\[\]]+)\[(.+)\]\z/m.freeze

    def self.split_reference(type, title)
      unnamed = type.nil? || %i[component whit].include?(type)
      return [$1, $2] if unnamed && title.to_s =~ REFERENCE
      return [$1, $2] if title.nil? && type.is_a?(String) && type =~ REFERENCE
      return [type, title] if title

      raise ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
    end

    def self.type_name(value)
      return :main if value == :main
      return 'Class' if value == '' || value.nil? || value.to_s.casecmp('component').zero?

      value.to_s.split('::').map { |segment| segment.to_s.capitalize }.join('::')
    end

    # One of the catalog, as the worker describes it.
    def self.of_catalog(details)
      allocate.tap { |resource| resource.describe(details) }
    end

    def initialize(type, title = nil, options = {})
      @type, @title = title == '' ? [Resource.type_name(type), ''] : Resource.type_and_title(type, title)
      @details = {}
      (options[:parameters] || {}).each { |name, value| self[name] = value }
    end

    def describe(details)
      @type, @title = details.values_at('type', 'title')
      @details = details
    end

    def name
      self[:name] || @title
    end

    def [](parameter)
      parameter = parameter.to_s
      return @title if parameter == 'title'

      parameters[parameter.to_sym]
    end

    # Of a resource that code makes; those of the catalog stay as they are.
    def []=(parameter, value)
      parameters[parameter.to_sym] = value
    end

    def set_parameter(parameter, value = nil)
      parameter, value = parameter.name, parameter.value if value.nil? && parameter.respond_to?(:value)
      self[parameter] = value
    end

    def key?(parameter)
      parameters.key?(parameter.to_sym)
    end
    alias include? key?

    def each(&block)
      parameters.each(&block)
    end

    def keys
      parameters.keys
    end

    def to_hash
      named_by_title.merge(parameters)
    end
    alias to_h to_hash

    def file
      @details['file']
    end

    def line
      @details['line']
    end

    def tags
      @details['tags'] || []
    end

    def tagged?(*names)
      names.flatten.any? { |name| tags.include?(name.to_s.downcase) }
    end

    def virtual?
      @details['virtual'] || false
    end
    alias virtual virtual?

    def exported?
      @details['exported'] || false
    end
    alias exported exported?

    def class?
      @type == 'Class'
    end

    def ref
      "#{@type}[#{@title}]"
    end

    def to_s
      ref
    end

    def inspect
      "#{ref}#{to_hash.inspect}"
    end

    def ==(other)
      other.is_a?(Resource) && other.ref == ref
    end
    alias eql? ==

    def hash
      ref.hash
    end

    def environment
      Bunraku::Host.scope.environment
    end

    def resource_type
      Bunraku::Named.new(@title.to_s.downcase)
    end

    def valid_parameter?(_name)
      true
    end

    def parameters
      @parameters ||= (@details['parameters'] || {}).transform_keys(&:to_sym)
    end

    private

    # What the title stands for, by the patterns of the type.
    def named_by_title
      Bunraku::Host.ask('titleNames', @type.to_s, @title.to_s).transform_keys(&:to_sym)
    end
  end

  module Parser
    Resource = Puppet::Resource
  end
end

module Bunraku
  # Something of which module code wants the name: a class, a defined type, a node.
  class Named
    attr_reader :name, :module_name, :type

    def initialize(name, module_name = nil, type = nil)
      @name = name
      @module_name = module_name
      @type = type&.to_sym
    end

    def to_s
      @name
    end
  end
end
