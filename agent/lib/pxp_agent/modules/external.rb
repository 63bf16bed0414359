# frozen_string_literal: true

require 'json'
require 'open3'
require_relative 'process_module'

module PxpAgent
  module Modules
    # A program of the directory of modules: `metadata` makes it print its actions with their schemas, an action's name
    # makes it carry out that action with the JSON that it reads.
    class External
      # The program is no module.
      class Unusable < StandardError; end

      attr_reader :name, :actions

      # @param configuration - a Hash, or nil
      def self.load(path, configuration)
        text, error, = Open3.capture3(path, 'metadata')
        raise Unusable, error[0, 500] unless error.empty?

        metadata = JSON.parse(text)
        actions = metadata.fetch('actions').map { |action| [action.fetch('name'), shape(action.fetch('input'))] }
        new(File.basename(path, '.*'), Hash[actions], [path], configuration)
      rescue SystemCallError, JSON::ParserError, KeyError, NoMethodError, TypeError => e
        raise Unusable, e.message[0, 500]
      end

      # @param schema - JSON Schema, of which types, properties, required ones and items count
      def self.shape(schema)
        case schema['type']
        when 'object' then object_shape(schema)
        when 'array' then [shape(schema['items'] || {})]
        when 'string' then String
        when 'number' then Numeric
        when 'integer' then Integer
        when 'boolean' then Shape::BOOLEAN
        else Shape::ANY
        end
      end

      def self.object_shape(schema)
        shapes = Hash[(schema['properties'] || {}).map { |name, each| [name, shape(each)] }]
        required = schema['required'] || []
        rest = required - shapes.keys
        Shape.object(shapes.select { |name, _| required.include?(name) }.merge(Hash[rest.map { |name| [name, Shape::ANY] }]),
                     shapes.reject { |name, _| required.include?(name) }, open: schema['additionalProperties'] != false)
      end
      private_class_method :object_shape

      def initialize(name, actions, program, configuration)
        @name = name
        @actions = actions
        @program = program
        @configuration = configuration
      end

      def blocking_only?
        false
      end

      # Its standard output is its result, which makes sense only as a whole.
      def streams
        { 'stderr' => 'stderr' }
      end

      def prepare(request, _directory)
        order = { 'input' => request.params }
        order['configuration'] = @configuration if @configuration
        Command.of(@program.first, @program.drop(1) + [request.action], input: JSON.generate(order))
      end

      # @raise BadOutput
      def results(output, label)
        text = output.stdout.dup.force_encoding(Encoding::UTF_8)
        value = text.valid_encoding? && !text.empty? ? JSON.parse(text) : nil
        raise JSON::ParserError, 'no object' unless value.is_a?(Hash)

        value
      rescue JSON::ParserError
        raise BadOutput, "The task executed for the #{label} returned invalid JSON on stdout - stderr:" \
                         "#{stderr_of(output)}"
      end

      private

      def stderr_of(output)
        output.stderr.empty? ? ' (empty)' : "\n#{output.stderr.dup.force_encoding(Encoding::UTF_8).scrub}"
      end
    end
  end
end
