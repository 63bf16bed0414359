# frozen_string_literal: true

module Bunraku
  # A block of the language, with the parameters that it has there.
  class PuppetProc < Proc
    def self.for(parameters, &block)
      made = new(&block)
      made.instance_variable_set(:@parameters, parameters)
      made
    end

    attr_accessor :bunraku_id

    def lambda?
      false
    end

    def parameters
      @parameters.map { |kind, name| [kind.to_sym, name.to_sym] }
    end

    def arity
      required = @parameters.take_while { |kind, _| kind == 'req' }.size
      required == @parameters.size ? required : -required - 1
    end
  end

  # Objects that the other side knows by number, the latest ones.
  class ObjectTable
    LIMIT = 1000

    def initialize
      @objects = {}
      @last = 0
    end

    def add(object)
      @last += 1
      @objects[@last] = object
      @objects.shift if @objects.size > LIMIT
      @last
    end

    def fetch(id, &block)
      @objects.fetch(id, &block)
    end
  end

  # What `private_loader` and such of functions are good for.
  class Loader
    def load(kind, name)
      return load_type(name.to_s) if kind == :type
      return nil unless kind == :function && Host.ask('isFunction', name.to_s)

      LoadedFunction.new(name.to_s)
    end

    # A type of the environment by its name; nil when there is none.
    def load_type(name)
      type = Puppet::Pops::Types::TypeParser.singleton.parse(name.split('::').map(&:capitalize).join('::'))
      type.instance_of?(Puppet::Pops::Types.const_get(:PTypeReferenceType)) ? nil : type
    end
    private :load_type

    def private_loader
      self
    end
    alias private_environment_loader private_loader
    alias find_loader private_loader
  end

  class LoadedFunction
    def initialize(name)
      @name = name
    end

    def call(scope, *args, &block)
      Host.call_function(scope.bunraku_id, @name, args, block)
    end
  end

  # Serves the worker's calls, and asks it in between.
  module Host
    class << self
      attr_reader :objects, :loader, :compile_cache, :changes

      def loaders
        @loader
      end

      def start(channel, watchdog)
        @channel = channel
        @watchdog = watchdog
        @objects = ObjectTable.new
        @loader = Loader.new
        @blocks = {}
        @kept = {}
        @adopted = {}
        @changes = 0
        @scopes = {}
        @active = []
        @compile = nil
        @messages = []
        @channel.send(['ready', { 'version' => RUBY_VERSION, 'description' => RUBY_DESCRIPTION, 'pid' => Process.pid }])
        while (message = @channel.receive)
          serve(message)
          forget if @active.empty?
        end
      end

      # Questions that may set variables.
      CHANGING = %w[setvar callFunction callLegacy block contextMethod member].freeze

      MOST_MESSAGES = 500

      # Messages wait for the next question or result: code may write thousands that nobody reads.
      def log(level, message)
        utf8 = message.encoding == Encoding::UTF_8
        @messages << [level, utf8 ? message.scrub : message.encode(Encoding::UTF_8, invalid: :replace, undef: :replace)]
        tell_messages if @messages.size >= MOST_MESSAGES
      end

      # Asks the worker; serves what it calls meanwhile.
      def ask(question, *args)
        tell_messages
        @changes += 1 if CHANGING.include?(question)
        @watchdog.waiting
        @channel.send(['call', question, *args])
        loop do
          message = @channel.receive
          exit!(0) if message.nil?
          case message[0]
          when 'ret'
            @watchdog.running
            return message[1]
          when 'err'
            @watchdog.running
            raise foreign(message)
          else serve(message)
          end
        end
      end

      def scope
        scope_of(@active.last&.first)
      end

      def global_scope
        scope_of(@active.last&.last)
      end

      # The same object for all calls of a compile.
      def catalog
        @catalog ||= Puppet::Resource::Catalog.new
      end

      # Whether the call that runs now is part of a compile, so that everything may be asked.
      def compiling?
        !@active.nil? && !@active.empty? && !@active.last.last.nil?
      end

      # Whether a scope is the top scope of the call that runs now.
      def top?(scope_id)
        scope_id == @active.last&.last
      end

      def call_function(scope_id, name, args, block, unknown = nil)
        ask('callFunction', scope_id, name.to_s, Wire.encode_all(args), register_block(block),
            unknown || "Unknown function '#{name}'")
      end

      def callable(json)
        id = json['v']
        return @blocks.fetch(json['own']) { raise ArgumentError, 'a block that is gone' } if json['own']

        made = PuppetProc.for(json['n']) { |*args| ask('block', id, Wire.encode_all(args)) }
        made.bunraku_id = id
        made
      end

      # Variables that Ruby code sets stay the objects that they are, as long as the compile lasts.
      def keep(value)
        id = @objects.add(value)
        @kept[id] = value
        id
      end

      # What a variable was set to without Ruby is an object here from now on. It may come with the call that begins a
      # compile, so that what came in the one before goes only with the next.
      def adopt(id, value)
        @adopted[id] = value
      end

      def object(id, &block)
        @kept.fetch(id) { @adopted.fetch(id) { @objects.fetch(id, &block) } }
      end

      def register_block(block)
        return nil if block.nil?
        return { '~' => 'c', 'v' => block.bunraku_id } if block.is_a?(PuppetProc)

        id = @objects.add(block)
        @blocks[id] = block
        { '~' => 'c', 'own' => id, 'n' => block.parameters.map { |kind, name| [kind.to_s, (name || 'p').to_s] } }
      end

      private

      def scope_of(id)
        raise Puppet::DevError, 'there is no compile' if id.nil?

        @scopes[id] ||= Puppet::Parser::Scope.new(id)
      end

      def tell_messages
        return if @messages.empty?

        messages = @messages
        @messages = []
        ask('log', messages)
      end

      # Between compiles nothing of them is kept.
      def forget
        @blocks.clear
        @scopes.clear
      end

      # ["call", method, calling scope, top scope, compile, arguments...]
      def serve(message)
        _, method, calling, top, compile, *args = message
        @watchdog.running
        new_compile(compile)
        @active.push([calling, top])
        result = Wire.encode(perform(method, args))
        tell_messages
        @watchdog.waiting
        @channel.send(['ret', result])
      rescue Exception => e # rubocop:disable Lint/RescueException
        tell_messages
        @watchdog.waiting
        @channel.send(['err', e.class.name.to_s, *described_safely(e)])
      ensure
        @active.pop
      end

      def new_compile(id)
        return if id.nil? || id == @compile

        @compile = id
        @kept = @adopted
        @adopted = {}
        @catalog = nil
        @compile_cache = Hash.new { |cache, key| cache[key] = {} }
      end

      def perform(method, args)
        case method
        when 'invoke' then args.then { |key, index, values, block| Functions.invoke(key, index, scope, values, block) }
        when 'call' then args.then { |key, values, block| Functions.call(key, scope, values, block) }
        when 'legacy' then args.then { |name, path, values| Legacy.call(name, path, scope, values) }
        when 'block' then @blocks.fetch(args[0]).call(*args[1])
        when 'member'
          *about, block = args
          DataTypes.call(*about, &block)
        when 'render' then args.then { |id, name, variables| Templates.render(id, name, scope, variables) }
        when 'renderAndTell'
          args.then { |id, name, variables| Templates.render_and_tell(id, name, scope, variables) }
        when 'load' then Functions.load(*args).then { |loaded| JSON.parse(JSON.generate(loaded)) }
        when 'loadLegacy' then Legacy.load(*args)
        when 'template' then Templates.define(*args) && nil
        when 'type' then Types.read(*args).then { |read| read && JSON.parse(JSON.generate(read)) }
        when 'convertTitle' then Types.convert(*args)
        when 'forgetTemplates' then Templates.forget
        else raise Puppet::DevError, "unknown call #{method}"
        end
      end

      # Texts of errors may run code, too.
      def described_safely(error)
        described(error)
      rescue StandardError => e
        ["#{error.class} without a text: #{e.class}", [], nil, nil, nil, nil]
      end

      def described(error)
        place = error.is_a?(Puppet::ExternalFileError) ? [error.file, error.line] : [nil, nil]
        text = error.respond_to?(:bunraku_text) ? error.bunraku_text : error.message
        text += missing_gem(error) if MISSING.include?(error.class.name)
        [text.to_s.dup.force_encoding(Encoding::UTF_8).scrub, (error.backtrace || []).first(20), *place,
         error.respond_to?(:bunraku_id) ? error.bunraku_id : nil, @objects.add(error), error.is_a?(StandardError)]
      end

      # By name: to name the constant would load RubyGems.
      MISSING = %w[LoadError Gem::MissingSpecError].freeze

      # How a library comes to the server that code of a module asked for in vain.
      def missing_gem(error)
        name = error.path.to_s
        return '' if name.empty? || name.start_with?('/', '.') || name.end_with?('.rb')

        " (a gem comes to all servers by 'bunraku gem install #{name.tr('/', '-')}')"
      end

      # ["err", class, message, id there, id here when it came from us]
      def foreign(message)
        _, name, text, id, own = message
        return @objects.fetch(own) { RuntimeError.new(text) } if own

        error = name == 'Unwind' ? Unwind.new(text) : error_class(name).new(text)
        error.extend(Foreign) unless error.is_a?(Foreign)
        error.bunraku_id = id
        error
      end

      def error_class(name)
        found = Object.const_get(name)
        found.is_a?(Class) && found <= Exception ? found : Puppet::Error
      rescue NameError
        Puppet::Error
      end
    end
  end
end
