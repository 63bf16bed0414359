# frozen_string_literal: true

# What there is of the Ruby side wherever Ruby runs.

require 'json'
require 'erb'

$VERBOSE = nil

%w[older_ruby gettext channel values wire requiring loaded_before errors logging settings util pops resource scope functions legacy puppetdb templates types
   type_constants type_factory runtime
   server].each { |name| require_relative name }
