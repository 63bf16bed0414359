# frozen_string_literal: true

module Bunraku
  # Code of modules requires parts of Puppet, which the shim stands for, and gems, which are looked for only when
  # nothing else has been found: RubyGems take longer to load than everything else together.
  module Requiring
    ROOTS = %w[puppet puppet_x semantic_puppet].freeze
    GEMS = File.join(__dir__, 'gems.rb').freeze

    class << self
      # Directories of modules: only there may be a real file named puppet/....
      attr_accessor :library

      # The directory of the installation's own gems; nil where there are none.
      attr_accessor :gems

      # There are none but those on the load path.
      attr_accessor :without_gems

      # RubyGems wait to be named, see loaded_before.rb: `defined?` takes them for loaded.
      def more_gems?
        !without_gems && (!defined?(Gem) || Object.autoload?(:Gem))
      end

      def part_of_puppet?(name)
        ROOTS.include?(name) || name.start_with?('puppet/')
      end

      def in_library(name)
        file = name.end_with?('.rb') ? name : "#{name}.rb"
        directory = library.find { |candidate| File.file?(File.join(candidate, file)) }
        directory && File.join(directory, file)
      end
    end
  end
end

module Kernel
  alias bunraku_require require

  def require(name)
    text = name.respond_to?(:to_path) ? name.to_path : name.to_str
    if Bunraku::Requiring.part_of_puppet?(text)
      file = Bunraku::Requiring.in_library(text)
      return file ? bunraku_require(file) : false
    end
    text = Bunraku::Requiring::GEMS if text == 'rubygems' && Bunraku::Requiring.more_gems?
    whole = Bunraku::LoadedBefore.whole_of(text)
    bunraku_require(whole) if whole
    begin
      bunraku_require(text).tap { Bunraku::OlderRuby.patch_yaml }
    rescue LoadError
      raise unless Bunraku::Requiring.more_gems?

      bunraku_require(Bunraku::Requiring::GEMS)
      require(text)
    end
  end
  private :require, :bunraku_require

  define_singleton_method(:require) { |name| Object.new.send(:require, name) }
end

# Modules keep what they share with others of their own below it.
module PuppetX; end
