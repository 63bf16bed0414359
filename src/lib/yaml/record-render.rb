# Records how Ruby writes values as YAML: ruby record-render.rb < values.json > rendered.json
require 'json'
require 'yaml'

puts JSON.pretty_generate(JSON.parse($stdin.read).map { |value| [value, value.to_yaml] })
