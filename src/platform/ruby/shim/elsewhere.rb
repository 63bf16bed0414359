# frozen_string_literal: true

# Files that code names by the path that they have on the primary, and that lie elsewhere on this machine.
module Bunraku
  module Elsewhere
    # In front of the class methods of File, IO and Dir.
    module Reads
      NAMES = %i[open new read binread readlines foreach exist? file? directory? readable? executable? symlink? size size?
                 zero? empty? stat lstat ftype mtime realpath glob [] entries children each_child].freeze

      def self.prepend_to(singleton)
        names = NAMES.select { |name| singleton.method_defined?(name) || singleton.private_method_defined?(name) }
        singleton.prepend(Module.new do
          names.each do |name|
            define_method(name) do |path = (missing = true), *args, **options, &block|
              next super(*args, **options, &block) if missing

              super(Elsewhere.find(path), *args, **options, &block)
            end
          end
        end)
      end
    end

    # `open(path)` and `Kernel.open`.
    module Opening
      private

      def open(path, *args, **options, &block)
        super(Elsewhere.find(path), *args, **options, &block)
      end
    end

    module PublicOpening
      def open(path, *args, **options, &block)
        super(Elsewhere.find(path), *args, **options, &block)
      end
    end

    module Authorities
      %i[ca_file= ca_path= add_file add_path].each do |name|
        define_method(name) { |path| super(Elsewhere.find(path)) }
      end
    end

    @places = {}

    # @param places [Hash] where a file or directory is, by the path that code names
    def self.use(places)
      return if places.empty?

      @places = places
      [File, IO, Dir].each { |each| Reads.prepend_to(each.singleton_class) }
      Object.prepend(Opening)
      Kernel.singleton_class.prepend(PublicOpening)
    end

    # Its library opens files by itself. The built-in Ruby has none.
    def self.use_in_openssl
      return if @places.empty?

      require 'openssl'
      [OpenSSL::SSL::SSLContext, OpenSSL::X509::Store].each { |each| each.prepend(Authorities) }
    rescue LoadError
      # This Ruby was built without it.
    end

    def self.find(path)
      text = path.respond_to?(:to_path) ? path.to_path : path
      return path unless text.is_a?(String) && text.start_with?('/')

      @places.each do |named, place|
        return place + text[named.length..-1] if text == named || text.start_with?("#{named}/")
      end
      path
    end
  end
end
