# frozen_string_literal: true

module Bunraku
  # Frames over two pipes: a length (32 bits, little-endian), then JSON in UTF-8.
  class Channel
    def initialize(input, output)
      @input = input
      @output = output
      @output.sync = true
      @input.sync = true
    end

    # The next message, or nil when the other side has gone.
    def receive
      head = @input.read(4)
      return nil if head.nil? || head.bytesize < 4

      text = @input.read(head.unpack1('V'))
      text.force_encoding(Encoding::UTF_8)
      message = JSON.parse(text, max_nesting: false)
      # Nearly all messages hold nothing but plain data.
      text.include?('"~"') ? Wire.decode(message) : message
    end

    def send(message)
      text = JSON.generate(message, max_nesting: false)
      @output.write([text.bytesize].pack('V'), text)
    end
  end
end
