# frozen_string_literal: true

# The parts of the Ruby side that every Ruby loads.

require 'json'
require 'erb'

$VERBOSE = nil

%w[older_ruby elsewhere gettext channel values times wire requiring loaded_before errors logging settings util pops resource scope functions legacy puppetdb templates types
   type_constants type_factory runtime
   server].each { |name| require_relative name }
