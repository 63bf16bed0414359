# frozen_string_literal: true

# RubyGems, with the installation's own gems before those of the machine. Loaded when a gem is needed for the first time.
Kernel.instance_method(:bunraku_require).bind_call(self, 'rubygems')

directory = Bunraku::Requiring.gems
Gem.use_paths(directory, [directory, *Gem.path]) if directory && File.directory?(directory)
