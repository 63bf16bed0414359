# frozen_string_literal: true

# The Ruby side in WebAssembly. This file is loaded once, and the memory that comes of it is what every instance begins
# with; each then calls `Bunraku.serve`.

require_relative 'parts'
require_relative 'stable_sort'
require_relative 'without_processes'

module Bunraku
  # The thread that waits for us ends us when it has waited for too long.
  class OutsideWatchdog
    def running; end

    def waiting; end
  end

  # These come with the module and need no RubyGems; there are no others.
  GEM_DIRECTORIES = Dir.glob('/usr/local/lib/ruby/gems/*/gems/*/lib').freeze

  # In place of libraries that cannot be there.
  SUBSTITUTES = File.join(__dir__, 'without').freeze

  def self.serve
    # Random numbers must not be those of the instance that all others were copied from.
    srand
    channel = Channel.new(File.open('/dev/bunraku/questions', 'rb'), File.open('/dev/bunraku/answers', 'wb'))
    settings = channel.receive
    ENV.replace(settings.fetch('environment'))
    library = settings.fetch('libraries')
    $LOAD_PATH.unshift(SUBSTITUTES).concat(library, GEM_DIRECTORIES)
    Elsewhere.use(settings.fetch('elsewhere'))
    Requiring.library = library
    Requiring.without_gems = true
    $PROGRAM_NAME = 'bunraku-ruby'
    Host.start(channel, OutsideWatchdog.new)
  end
end
