# frozen_string_literal: true

module Puppet
  # Data types of modules: the worker reads what they declare, their methods run here.
  module DataTypes
    def self.create_type(name, &block)
      builder = Bunraku::DataTypes::Builder.new(name.to_s)
      builder.instance_eval(&block)
      builder
    end
  end
end

module Bunraku
  module DataTypes
    # What may stand in the block of `create_type`.
    class Builder
      attr_reader :name

      def initialize(name)
        @name = name
      end

      # The worker reads it from the file.
      def interface(_text)
        nil
      end

      def implementation(&block)
        check_single
        @block = block
      end

      def implementation_class(ruby_class)
        check_single
        @class = ruby_class
      end

      def load_file(name)
        Object.new.send(:require, name)
      end

      # The class of the type's objects.
      def made(names, parameters, defaults)
        @made ||= @class || generated(names, parameters, defaults)
      end

      private

      def check_single
        raise ArgumentError, 'a data type can only have one implementation' if @block || @class
      end

      def generated(names, parameters, defaults)
        made = Class.new(Generated)
        made.arrange(parameters, defaults)
        names.each { |name| made.define_method(name) { @bunraku_attributes[name] } }
        made.class_eval(&@block) if @block
        made
      end
    end

    # Objects of types without a class of their own.
    class Generated
      class << self
        attr_reader :parameters, :defaults

        def arrange(parameters, defaults)
          @parameters = parameters
          @defaults = defaults
        end

        def from_hash(hash)
          allocate.tap { |object| object.instance_variable_set(:@bunraku_attributes, hash) }
        end
        alias _pcore_init_from_hash from_hash
        alias from_asserted_hash from_hash
      end

      def initialize(*values)
        @bunraku_attributes = self.class.defaults.merge(self.class.parameters.zip(values).first(values.size).to_h)
      end

      def _pcore_init_hash
        @bunraku_attributes.slice(*self.class.parameters)
      end

      def ==(other)
        other.instance_of?(self.class) && other._pcore_init_hash == _pcore_init_hash
      end
      alias eql? ==

      def hash
        _pcore_init_hash.hash
      end
    end

    @files = {}
    @classes = {}

    class << self
      # Calls a method of an object with these attributes.
      def call(path, about, defaults, attributes, member, args, &block)
        made = class_of(path, about, defaults, attributes.keys)
        object = instance(made, about['parameters'], attributes)
        unless object.respond_to?(member)
          raise Puppet::Error, "no method is implemented for function #{about['name']}[#{member}]"
        end

        object.public_send(member, *args, &block)
      end

      # The type's name and the attributes of an object; nil for objects of other classes.
      def describe(object)
        name, parameters = @classes[object.class]
        return nil if name.nil?

        values = object.respond_to?(:_pcore_init_hash) ? object._pcore_init_hash : parameters.to_h { |each| [each, object.public_send(each)] }
        [name, values]
      end

      private

      def class_of(path, about, defaults, names)
        here = Puppet::Pops::Loader::RubyDataTypeInstantiator.code_binding
        builder = @files[path] ||= eval(File.read(path, encoding: 'bom|utf-8'), here, path, 1) # rubocop:disable Security/Eval
        made = builder.made(names, about['parameters'], defaults)
        @classes[made] = [about['name'], about['parameters']]
        made
      end

      def instance(made, parameters, attributes)
        given = attributes.slice(*parameters)
        return made.from_hash(attributes) if made <= Generated

        %i[_pcore_init_from_hash from_asserted_hash].each do |method|
          return made.public_send(method, given) if made.respond_to?(method)
        end
        made.new(*given.values_at(*parameters))
      end
    end
  end
end
