# frozen_string_literal: true

require 'fileutils'
require 'json'
require 'securerandom'
require_relative 'process_module'
require_relative 'script'

module PxpAgent
  module Modules
    # Runs a task: picks the implementation for this machine, fetches its files, hands over its parameters.
    class Task
      include ProcessModule

      METHODS = %w[stdin environment powershell both].freeze
      FEATURES = ['puppet-agent', WINDOWS ? 'powershell' : 'shell'].freeze
      IMPLEMENTATION = Shape.object({}, { 'name' => String, 'requirements' => [String], 'files' => [String],
                                          'input_method' => String }, open: true)
      METADATA = Shape.object({}, { 'input_method' => String, 'implementations' => [IMPLEMENTATION],
                                    'files' => [String] }, open: true)
      PARAMS = Shape.object(
        { 'task' => String, 'files' => Shape::NonEmpty.new(Script::FILE_SHAPE), 'input' => Hash },
        { 'metadata' => METADATA, 'features' => [String], 'input_method' => String }, open: true
      )

      def initialize(downloads)
        @downloads = downloads
      end

      def name
        'task'
      end

      def actions
        { 'run' => PARAMS }
      end

      def prepare(request, directory)
        params = request.params
        metadata = params['metadata'] || params
        implementation = select_implementation(metadata)
        method = implementation['input_method'] || metadata['input_method']
        raise ProcessingError, "unsupported task input method: #{method}" unless method.nil? || METHODS.include?(method)

        file = @downloads.cached(select_file(params['files'], implementation['name']))
        method ||= File.extname(file) == '.ps1' ? 'powershell' : 'both'
        input = params['input'].merge('_task' => params['task'])
        names = further_names(metadata, implementation, params['files'])
        unless names.empty?
          input['_installdir'] = lay_out(directory, names, params['files'])
          file = beside_further_files(file, input['_installdir'], params['task'])
        end
        command(file, input, method)
      end

      private

      def select_implementation(metadata)
        implementations = metadata['implementations'] || []
        return {} if implementations.empty?

        features = (FEATURES + (metadata['features'] || [])).uniq
        found = implementations.find { |each| ((each['requirements'] || []) - features).empty? }
        return found if found

        raise ProcessingError, "no implementations match supported features: #{features.sort.join(', ')}"
      end

      def select_file(files, name)
        return files.first if name.nil? || name.empty?

        files.find { |file| file['filename'] == name } ||
          raise(ProcessingError, "'#{name}' file requested by implementation not found")
      end

      # Names that end with a slash stand for all files below. Without metadata, `files` are those of the request.
      def further_names(metadata, implementation, files)
        wanted = [metadata['files'], implementation['files']].compact
        wanted = wanted.select { |list| list.all? { |name| name.is_a?(String) } }.flatten.uniq.sort
        wanted.flat_map do |name|
          next [name] unless name.end_with?('/')

          files.map { |file| file['filename'] }.select { |each| each.start_with?(name) }
        end.uniq.sort
      end

      def lay_out(directory, names, files)
        place = File.join(directory, "temp_task_#{SecureRandom.hex(8)}")
        names.each do |name|
          raise ProcessingError, "'#{name}' is not a path below a module" if name.split('/').include?('..')

          file = files.find { |each| each['filename'] == name } ||
                 raise(ProcessingError, "'#{name}' file requested as additional task dependency not found")
          copy(@downloads.cached(file), File.join(place, name))
        end
        place
      end

      def beside_further_files(file, place, task)
        copy(file, File.join(place, task.split(':').first, 'tasks', File.basename(file)))
      end

      def copy(from, to)
        FileUtils.mkdir_p(File.dirname(to), mode: Downloads::MODE)
        FileUtils.cp(from, to, preserve: true)
        to
      end

      def command(file, input, method)
        if method == 'powershell' && !WINDOWS
          raise ProcessingError, 'the input method powershell needs Windows'
        end

        environment = %w[both environment].include?(method) ? environment_of(input) : {}
        text = method == 'environment' ? '' : JSON.generate(input)
        Command.of_file(file, [], environment: environment, input: text)
      end

      def environment_of(input)
        Hash[input.map { |name, value| ["PT_#{name}", value.is_a?(String) ? value : JSON.generate(value)] }]
      end
    end
  end
end
