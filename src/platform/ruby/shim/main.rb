# frozen_string_literal: true

# The Ruby side of a compile worker: runs functions and templates of modules, and asks the worker for
# everything that it does not know itself.
#
#   ruby main.rb READ_FD WRITE_FD TIMEOUT_SECONDS MEMORY_BYTES GEM_DIRECTORY PLACES_OF_FILES LIB_DIRECTORY...

read_fd, write_fd, timeout, memory, gems, places, *library = ARGV
ARGV.clear

require_relative 'parts'
require_relative 'watchdog'

# Signals for the whole group or unit are the server's business: it may want us for its last compiles. We end when it
# closes the pipe. Commands that code runs get the default again.
%w[INT TERM HUP].each { |signal| trap(signal) {} }
Bunraku.limit_memory(Integer(memory))
$LOAD_PATH.concat(library)
Bunraku::Elsewhere.use(JSON.parse(places))
Bunraku::Elsewhere.use_in_openssl
Bunraku::Requiring.library = library
Bunraku::Requiring.gems = gems unless gems.empty?
$PROGRAM_NAME = 'bunraku-ruby'
pipes = [IO.for_fd(Integer(read_fd), 'rb'), IO.for_fd(Integer(write_fd), 'wb')]
# A command that code runs may outlive us: with our ends of the pipes in its hands the worker would wait for it.
pipes.each { |pipe| pipe.close_on_exec = true }
channel = Bunraku::Channel.new(*pipes)
Bunraku::Host.start(channel, Bunraku::Watchdog.new(Float(timeout)))
