# frozen_string_literal: true

# Keeps what Ruby has made of the files of packages, so that the next agent need not read and compile a thousand of them again.
# Files from anywhere else, such as plugins that an agent has just fetched, are compiled as ever.
module KeptInstructions
  KEPT = File.join(ENV.fetch('KEPT_INSTRUCTIONS'), RUBY_DESCRIPTION.gsub(/[^\w.]+/, '-'))
  begin
    Dir.mkdir(KEPT)
  rescue SystemCallError
    # It is there, or nothing is kept.
  end

  def load_iseq(path)
    return nil unless path.start_with?('/usr/lib/ruby/', '/usr/share/')

    kept = File.join(KEPT, "#{path.tr('/', '+')}+#{File.mtime(path).to_i}")
    return load_from_binary(File.binread(kept)) if File.exist?(kept)

    compile_file(path).tap do |instructions|
      File.binwrite("#{kept}+#{Process.pid}", instructions.to_binary)
      File.rename("#{kept}+#{Process.pid}", kept)
    end
  rescue SystemCallError, RuntimeError, SyntaxError
    nil # Ruby compiles it, or says what is wrong with it
  end
end

RubyVM::InstructionSequence.singleton_class.prepend(KeptInstructions)
