# frozen_string_literal: true

module Bunraku
  # An object of the worker's side that is known here by its number only.
  class Opaque
    attr_reader :bunraku_id, :bunraku_class

    def initialize(id, type, text)
      @bunraku_id = id
      @bunraku_class = type
      @text = text
    end

    def to_s
      @text
    end

    def inspect
      "#<#{@bunraku_class} #{@text}>"
    end

    # Attributes and methods of objects of the language.
    def method_missing(name, *args, &block)
      return super unless respond_to?(name)

      Host.ask('member', @bunraku_id, name.to_s, Wire.encode_all(args), Host.register_block(block))
    end

    def respond_to_missing?(name, _all = false)
      return false if name.to_s.start_with?('to_')

      Host.ask('hasMember', @bunraku_id, name.to_s)
    end
  end

  # Values as JSON. What JSON lacks is a hash with the key `~`, which names its kind.
  module Wire
    TAG = '~'
    SAFE = (-(2**53 - 1)..(2**53 - 1)).freeze
    # Keys that JavaScript would put in front of the others.
    INDEX = /\A(?:0|[1-9]\d*)\z/.freeze

    module_function

    # --- from the worker

    def decode(json)
      case json
      when Array then json.map { |item| decode(item) }
      when Hash
        kind = json[TAG]
        kind ? DECODERS.fetch(kind).call(json) : json.transform_values { |item| decode(item) }
      else json
      end
    end

    DECODERS = {
      'f' => ->(json) { float(json['v']) },
      'h' => ->(json) { json['v'].to_h { |key, value| [decode(key), decode(value)] } },
      'd' => ->(_json) { :default },
      'y' => ->(json) { json['v'].to_sym },
      'fz' => ->(json) { deep_freeze(decode(json['v'])) },
      'k' => ->(json) { Host.adopt(json['i'], decode(json['v'])) },
      's' => ->(json) { Puppet::Pops::Types::PSensitiveType::Sensitive.new(decode(json['v'])) },
      'a' => ->(json) { json['v'].unpack1('m0') },
      'b' => ->(json) { Puppet::Pops::Types::PBinaryType::Binary.from_base64(json['v']) },
      'r' => ->(json) { Regexp.new(json['v']) },
      'ts' => ->(json) { Puppet::Pops::Time::Timestamp.new(Integer(json['v']), json['x']) },
      'tp' => ->(json) { Puppet::Pops::Time::Timespan.new(Integer(json['v']), json['x']) },
      'v' => ->(json) { SemanticPuppet::Version.new(json['v']) },
      'vr' => ->(json) { SemanticPuppet::VersionRange.new(json['v']) },
      'u' => ->(json) { require('uri') && false || URI.parse(json['v']) },
      't' => ->(json) { decode_type(json) },
      'p' => ->(json) { Puppet::Resource.new(json['t'], json['n']) },
      'c' => ->(json) { Host.callable(json) },
      'o' => ->(json) { opaque(json) },
      'z' => ->(json) { Host.object(json['v']) { json['x'] } }
    }.freeze

    def deep_freeze(value)
      case value
      when Array then value.each { |item| deep_freeze(item) }
      when Hash then value.each_value { |item| deep_freeze(item) }
      end
      value.freeze
    end

    def float(text)
      case text
      when 'Infinity' then Float::INFINITY
      when '-Infinity' then -Float::INFINITY
      when 'NaN' then Float::NAN
      else Float(text)
      end
    end

    def decode_type(json)
      types = Puppet::Pops::Types
      case json['k']
      when 'Resource' then types::PResourceType.new(json['v'], json['i'], type_name: json['t'], title: json['n'])
      when 'Class' then types::PClassType.new(json['v'], json['i'], class_name: json['n'])
      else types.const_get("P#{json['k']}Type").new(json['v'], json['i'])
      end
    end

    def opaque(json)
      return Puppet::Pops::Lookup::Context.new(json['v'], json['k'], json['x']) if json['k'] == 'Puppet::LookupContext'
      return Puppet::Pops::Types::BunrakuIterator.new(json['v'], json['k'], json['x']) if json['k'] == 'Iterator'

      Opaque.new(json['v'], json['k'], json['x'])
    end

    # --- to the worker

    def encode_all(values)
      values.map { |value| encode(value) }
    end

    def encode(value)
      case value
      when nil, true, false then value
      when String then encode_text(value)
      when Integer then SAFE.cover?(value) ? value : { TAG => 'i', 'v' => value.to_s }
      when Float then encode_float(value)
      when Array then value.map { |item| encode(item) }
      when Hash then encode_hash(value)
      when Symbol then encode_symbol(value)
      else encode_object(value)
      end
    end

    def encode_text(text)
      text = text.to_s if text.class != String
      return text if text.encoding == Encoding::UTF_8 && text.valid_encoding?
      return text.encode(Encoding::UTF_8) if text.encoding != Encoding::BINARY && text.valid_encoding?

      { TAG => 'a', 'v' => [text].pack('m0') }
    end

    def encode_float(value)
      return value if value.finite? && value != value.floor

      { TAG => 'f', 'v' => value.finite? ? value.to_s : FLOATS.fetch(value.to_s) }
    end

    FLOATS = { 'Infinity' => 'Infinity', '-Infinity' => '-Infinity', 'NaN' => 'NaN' }.freeze

    def encode_hash(hash)
      plain = hash.each_key.all? { |key| key.instance_of?(String) && key.encoding == Encoding::UTF_8 && !INDEX.match?(key) && key != TAG }
      return hash.transform_values { |value| encode(value) } if plain

      { TAG => 'h', 'v' => hash.map { |key, value| [encode(key), encode(value)] } }
    end

    def encode_symbol(symbol)
      case symbol
      when :default then { TAG => 'd' }
      when :undef then nil
      else { TAG => 'y', 'v' => symbol.to_s }
      end
    end

    def encode_object(value)
      types = Puppet::Pops::Types
      case value
      when types::PSensitiveType::Sensitive then { TAG => 's', 'v' => encode(value.unwrap) }
      when types::PBinaryType::Binary then { TAG => 'b', 'v' => value.to_s }
      when types::PAnyType then type(value)
      when Regexp then { TAG => 'r', 'v' => value.options.zero? ? value.source : value.to_s }
      when Puppet::Pops::Time::Timestamp then { TAG => 'ts', 'v' => value.nsecs.to_s }
      when Puppet::Pops::Time::Timespan then { TAG => 'tp', 'v' => value.nsecs.to_s }
      when SemanticPuppet::Version then { TAG => 'v', 'v' => value.to_s }
      when SemanticPuppet::VersionRange then { TAG => 'vr', 'v' => value.to_s }
      when Puppet::Resource then { TAG => 'p', 't' => value.type.to_s, 'n' => value.title.to_s }
      when Opaque then { TAG => 'o', 'v' => value.bunraku_id }
      when Proc, Method then Host.register_block(value)
      else encode_unknown(value)
      end
    end

    def type(value)
      { TAG => 't', 'v' => value.to_s, 'i' => value.bunraku_id }
    end

    # An object that the language does not know; it can be handed back to Ruby.
    def encode_unknown(value)
      return encode_float(value.to_f) if defined?(BigDecimal) && value.is_a?(BigDecimal)
      return { TAG => 'u', 'v' => value.to_s } if defined?(URI::Generic) && value.is_a?(URI::Generic)

      name, attributes = Bunraku.autoload?(:DataTypes) ? nil : DataTypes.describe(value)
      return { TAG => 'oi', 'k' => name, 'v' => attributes.transform_values { |item| encode(item) } } if name

      { TAG => 'z', 'v' => Host.objects.add(value), 'k' => value.class.name.to_s, 'x' => value.to_s }
    end
  end
end
