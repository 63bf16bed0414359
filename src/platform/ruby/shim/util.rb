# frozen_string_literal: true

module Puppet
  # The parts of Puppet's utilities that functions and templates of modules use.
  module Util
    ABSOLUTE = {
      windows: /\A(?:(?:[A-Z]:[\\\/])|(?:[\\\/][\\\/][^\\\/]+[\\\/][^\\\/]+)|(?:[\\\/][\\\/]\?[\\\/][^\\\/]+))/i,
      posix: %r{\A/}
    }.freeze
    private_constant :ABSOLUTE

    module_function

    def absolute_path?(path, platform = nil)
      unless path.is_a?(String)
        Puppet.warning("Cannot check if #{path} is an absolute path because it is a '#{path.class}' and not a String'")
        return false
      end

      ABSOLUTE.fetch((platform || :posix).to_sym, ABSOLUTE[:posix]).match?(path)
    end

    def which(command)
      return (command if File.executable?(command)) if absolute_path?(command)

      ENV['PATH'].to_s.split(File::PATH_SEPARATOR).map { |directory| File.join(directory, command) }
                 .find { |file| File.file?(file) && File.executable?(file) }
    end

    def execute(*args)
      Execution.execute(*args)
    end

    def benchmark(*)
      yield
    end

    def symbolizehash(hash)
      hash.transform_keys { |key| key.respond_to?(:to_sym) ? key.to_sym : key }
    end

    def deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end

    def deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end

    def default_env
      :posix
    end

    def get_env(name, _mode = nil)
      ENV[name]
    end

    def set_env(name, value = nil, _mode = nil)
      ENV[name] = value
    end

    def withenv(values, _mode = nil)
      before = ENV.to_hash
      ENV.update(values.to_h { |name, value| [name.to_s, value&.to_s] })
      yield
    ensure
      ENV.replace(before)
    end

    def create_erb(content)
      ERB.new(content, trim_mode: '-')
    end

    def safe_posix_fork(*)
      raise Puppet::DevError, 'fork is not available on the server'
    end

    module Package
      module_function

      def versioncmp(version_a, version_b, ignore_trailing_zeroes = false)
        if ignore_trailing_zeroes
          version_a = Package.without_trailing_zeroes(version_a)
          version_b = Package.without_trailing_zeroes(version_b)
        end
        parts_a, parts_b = [version_a, version_b].map { |version| version.scan(/[-.]|\d+|[^-.\d]+/) }
        parts_a.zip(parts_b).each do |a, b|
          break if b.nil?
          next if a == b
          return Package.compare(a, b)
        end
        version_a <=> version_b
      end

      def self.compare(part_a, part_b)
        %w[- .].each do |separator|
          return -1 if part_a == separator
          return 1 if part_b == separator
        end
        return part_a.upcase <=> part_b.upcase unless [part_a, part_b].all?(/\A\d+\z/)
        return part_a <=> part_b if part_a.start_with?('0') || part_b.start_with?('0')

        part_a.to_i <=> part_b.to_i
      end

      def self.without_trailing_zeroes(version)
        first, *rest = version.split('-')
        [first.sub(/[.0]+\z/, ''), *rest].join('-')
      end
    end

    module Execution
      # Output together with the status.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, exitstatus)
          super(text)
          @exitstatus = exitstatus
        end
      end

      module_function

      def execute(command, options = {})
        require 'open3'
        words = Array(command).map(&:to_s)
        words = command.is_a?(Array) ? [[words.first, words.first], *words[1..]] : words
        text, status = run(words, options)
        if !status.success? && options.fetch(:failonfail, options.empty?)
          raise Puppet::ExecutionFailure,
                "Execution of '#{Array(command).join(' ')}' returned #{status.exitstatus}: #{text.strip}"
        end
        ProcessOutput.new(text, status.exitstatus)
      end

      def run(words, options)
        environment = (options[:custom_environment] || {}).to_h { |key, value| [key.to_s, value&.to_s] }
        return Open3.capture2(environment, *words) if options[:combine] == false

        Open3.capture2e(environment, *words)
      rescue SystemCallError => e
        raise Puppet::ExecutionFailure, "Could not execute '#{words.join(' ')}': #{e.message}"
      end

      def execpipe(command, failonfail = true)
        output = execute(command, failonfail: failonfail)
        return output unless block_given?

        require 'stringio'
        yield(StringIO.new(output))
      end
    end

    module Json
      class ParseError < StandardError; end

      def self.load(text, options = {})
        JSON.parse(text, options.merge(create_additions: false))
      rescue JSON::ParserError => e
        raise ParseError, e.message
      end

      def self.dump(object, options = {})
        options.empty? || options[:pretty] != true ? JSON.generate(object, options) : JSON.pretty_generate(object)
      end
    end

    module Yaml
      class YamlLoadError < StandardError; end

      def self.safe_load(text, allowed_classes = [], filename = nil)
        require 'yaml'
        YAML.safe_load(text, permitted_classes: allowed_classes, aliases: true, filename: filename) || false
      rescue Psych::Exception => e
        raise YamlLoadError, e.message
      end

      def self.safe_load_file(filename, allowed_classes = [])
        safe_load(File.read(filename, encoding: 'bom|utf-8'), allowed_classes, filename)
      end

      def self.load_file(filename, default = false, *)
        File.exist?(filename) ? safe_load_file(filename, [Symbol]) : default
      end

      def self.dump(structure, filename)
        require 'yaml'
        File.write(filename, YAML.dump(structure))
      end
    end

    module Docs
      def self.scrub(text)
        text
      end
    end

    module Checksums
      %w[md5 sha1 sha256 sha384 sha512].each do |name|
        define_singleton_method(name) do |text|
          require 'digest'
          Digest.const_get(name.upcase).hexdigest(text)
        end
      end
    end
  end

  module FileSystem
    module_function

    def exist?(path)
      File.exist?(path)
    end

    def file?(path)
      File.file?(path)
    end

    def directory?(path)
      File.directory?(path)
    end

    def readlines(path)
      File.readlines(path)
    end

    def basename_string(path)
      File.basename(path)
    end

    def pathname(path)
      Pathname.new(path)
    end

    def read(path, opts = {})
      File.read(path, encoding: opts.fetch(:encoding, 'utf-8'))
    end

    def read_preserve_line_endings(path)
      File.read(path, encoding: 'bom|utf-8')
    end

    def binread(path)
      File.binread(path)
    end
  end

  # A module of the environment.
  class Module
    attr_reader :name, :path

    def self.find(name, _environment = nil)
      return nil unless name

      path = Bunraku::Host.ask('modulePath', name.to_s)
      path && new(name.to_s, path, nil)
    end

    def initialize(name, path, _environment)
      @name = name
      @path = path
    end

    def environment
      Bunraku::Host.scope.environment
    end

    def file(name = nil)
      existing('files', name)
    end

    def template(name = nil)
      existing('templates', name)
    end

    def files?
      File.directory?(File.join(path, 'files'))
    end

    def templates?
      File.directory?(File.join(path, 'templates'))
    end

    def metadata_file
      File.join(path, 'metadata.json')
    end

    def has_metadata?
      File.file?(metadata_file)
    end

    def metadata
      @metadata ||= has_metadata? ? JSON.parse(File.read(metadata_file)) : {}
    end

    def plugin_directory
      File.join(path, 'lib')
    end

    def plugins?
      File.directory?(plugin_directory)
    end

    def license
      metadata['license']
    end

    def summary
      metadata['summary']
    end

    def description
      metadata['description']
    end

    def dependencies
      metadata['dependencies'] || []
    end

    def dependencies_as_modules
      names = dependencies.map { |dependency| dependency['name'].to_s.split(%r{[/-]}).last }
      environment.modules.select { |other| names.include?(other.name) }
    end

    def forge_name
      metadata['name']&.tr('-', '/')
    end

    def version
      metadata['version']
    end

    def author
      metadata['author']
    end

    def to_s
      "Module #{name}(#{path})"
    end

    private

    def existing(directory, name)
      file = name ? File.join(path, directory, name) : File.join(path, directory)
      file if File.exist?(file)
    end
  end

  module Parser
    module Files
      module_function

      def find_template(name, _environment = nil)
        Bunraku::Host.ask('findTemplate', name.to_s)
      end

      def find_file(name, _environment = nil)
        Bunraku::Host.ask('findFile', name.to_s)
      end
    end
  end

  module Pops
    # Files and lines of the manifests that led here, innermost first.
    module PuppetStack
      def self.stacktrace
        Bunraku::Host.ask('stack')
      end

      def self.top_of_stack
        stacktrace.first || []
      end
    end
  end
end

# The dialect of JSON that Puppet used to speak: PSON at language levels that have it.
module Bunraku::OldJson
  class PSONError < StandardError; end
  class ParserError < PSONError; end

  def self.parse(text, **options)
    JSON.parse(text, **options)
  rescue JSON::ParserError => e
    raise ParserError, e.message
  end

  def self.load(text, *)
    parse(text)
  end

  def self.generate(object, *)
    JSON.generate(object)
  end

  def self.pretty_generate(object, *)
    JSON.pretty_generate(object)
  end
end
