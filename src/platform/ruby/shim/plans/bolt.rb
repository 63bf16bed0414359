# frozen_string_literal: true

# Modules with plans ask which Bolt runs them. This is the release whose functions plans have here.
module Bolt
  VERSION = '4.0.0'
end
