# frozen_string_literal: true

# WebAssembly knows no processes, threads and signals. Some of its calls say that all went well; here each says that
# nothing was done. The error passes `rescue` for StandardError on purpose: code that rescues that goes on as if the command had
# printed nothing, and makes another catalog than with the Ruby of a machine.
module Bunraku
  def self.impossible(what)
    raise NotImplementedError, "#{what} needs a Ruby of the machine: the built-in one knows no processes"
  end

  def self.impossible_command(args)
    impossible("running a command (#{args.flatten.grep(String).join(' ')})")
  end

  # Before the methods of the classes themselves.
  module Commands
    %i[system spawn exec `].each do |name|
      define_method(name) { |*args, **_options| Bunraku.impossible_command(args) }
    end

    def fork
      Bunraku.impossible('fork')
    end
  end

  module Pipes
    def popen(*args, **_options)
      Bunraku.impossible_command(args)
    end

    def pipe(*)
      Bunraku.impossible('a pipe')
    end
  end

  module Signals
    def kill(*)
      Bunraku.impossible('sending a signal')
    end
  end
end

Kernel.prepend(Bunraku::Commands)
Object.prepend(Bunraku::Commands)
Kernel.singleton_class.prepend(Bunraku::Commands)
Process.singleton_class.prepend(Bunraku::Commands, Bunraku::Signals)
IO.singleton_class.prepend(Bunraku::Pipes)
