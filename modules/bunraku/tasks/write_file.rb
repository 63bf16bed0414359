#!/opt/puppetlabs/puppet/bin/ruby
# frozen_string_literal: true

# Writes text that came as a parameter to a file.

require 'json'

input = JSON.parse($stdin.read)
path = input['path'].unpack1('m').force_encoding('UTF-8')
File.binwrite(path, input['content'].unpack1('m'))
puts 'written'
